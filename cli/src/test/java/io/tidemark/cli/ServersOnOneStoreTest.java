// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers on one store, of which one is killed while it works. What it has acknowledged is
 * there for whoever asks the other, which goes on. A soak also waits for the lease of the dead.
 */
@ExtendWith(ServerExtension.class)
final class ServersOnOneStoreTest {

  /** Only a hang takes that long. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final boolean SOAK = Boolean.getBoolean("soak");
  private static final long ENOUGH = SOAK ? 100 : 15;

  @Test
  void onS3(S3Server s3) {
    S3Bucket bucket = s3.createBucket();
    oneIsKilled(
        Map.of("aws.accessKeyId", s3.accessKey(), "aws.secretAccessKey", s3.secretKey()),
        "s3://%s/prefix?path-style=true&region=%s&endpoint=%s"
            .formatted(bucket.name(), s3.region(), s3.endpoint()));
  }

  @Test
  @EnabledIfSystemProperty(named = "soak", matches = "true")
  void inADirectory(@TempDir Path directory) {
    oneIsKilled(Map.of(), directory.toString());
  }

  private static void oneIsKilled(Map<String, String> properties, String data) {
    try (ServerProcess one = ServerProcess.on(properties, "--data", data);
        ServerProcess other = ServerProcess.on(properties, "--data", data)) {
      one.post("/v1/ledgers", "{\"ledger\":\"crm\"}");
      other.post("/v1/ledgers", "{\"ledger\":\"shop\"}");
      Work commits = Work.begin(n -> commit(one, "crm", n));
      Work pushes = Work.begin(n -> push(one, "pushed", n));
      Work elsewhere = Work.begin(n -> commit(other, "shop", n));
      List<Work> all = List.of(commits, pushes, elsewhere);
      await().atMost(LIMIT).until(() -> all.stream().allMatch(work -> work.done() >= ENOUGH));

      one.process().kill();

      commits.join();
      pushes.join();
      long survived = elsewhere.done();
      await("the other goes on").atMost(LIMIT).until(() -> elsewhere.done() > survived + 2);
      elsewhere.stop();
      holds(other, "crm", commits);
      holds(other, "shop", elsewhere);
      // The last of them may have arrived, though nobody was told so.
      long head = head(other, "pushed");
      assertThat(head).isBetween(pushes.done(), pushes.done() + 1);
      push(other, "pushed", head + 1);
      assertThat(head(other, "pushed")).isEqualTo(head + 1);
      if (SOAK) {
        isTakenOver(other, commits);
      }
    }
  }

  /** After the lease of the dead the other writes to its ledger, and looks after it. */
  private static void isTakenOver(ServerProcess other, Work commits) {
    commit(other, "crm", commits.done() + 2);
    await("the index is repaired, and commits are compacted")
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              String warnings = String.join("\n", other.warnings());
              JsonNode index = other.get("/v1/ledgers/crm/index");
              assertThat(index.path("ok").asBoolean()).as(index + warnings).isTrue();
              JsonNode plan = other.post("/v1/ledgers/crm/compact", "{}");
              // What is done by hand also merges the few that came since.
              assertThat(plan.path("planned"))
                  .as(warnings)
                  .allSatisfy(few -> assertThat(few.path("entry_count").asInt()).isLessThan(10));
            });
    holds(other, "crm", commits);
  }

  /** Every item that was acknowledged is there, and at most one more. */
  private static void holds(ServerProcess server, String ledger, Work work) {
    JsonNode found =
        server
            .post("/v1/ledgers/" + ledger + "/sql", "{\"sql\":\"SELECT n FROM Item ORDER BY n\"}")
            .path("rows");
    assertThat(found.findValues("n").stream().map(JsonNode::asLong))
        .as("of " + ledger)
        .containsAll(LongStream.rangeClosed(1, work.done()).boxed().toList())
        .hasSizeLessThanOrEqualTo((int) work.done() + 2);
  }

  private static void commit(ServerProcess server, String ledger, long n) {
    server.post("/v1/ledgers/" + ledger + "/commits", ServerProcess.item("i" + n, n));
  }

  private static void push(ServerProcess server, String name, long n) {
    if (n == 1) {
      server.post("/v1/names/" + name, "{}");
    }
    server.post(
        "/v1/names/" + name + "/head/advance",
        "{\"next\":{\"watermark\":%d,\"payload\":{\"id\":\"c%d\",\"t\":%d}}}".formatted(n, n, n));
  }

  private static long head(ServerProcess server, String name) {
    return server.get("/v1/names/" + name + "/heads").at("/commit/t").asLong();
  }

  /** Does one thing after the other, until it is stopped or the server is gone. */
  private static final class Work {

    private final AtomicLong acknowledged = new AtomicLong();
    private final CompletableFuture<Void> end;
    private volatile boolean stopped;

    private Work(LongConsumer step) {
      end =
          CompletableFuture.runAsync(
              () -> {
                while (!stopped) {
                  try {
                    step.accept(acknowledged.get() + 1);
                  } catch (UncheckedIOException e) {
                    return; // the server is gone
                  }
                  acknowledged.incrementAndGet();
                }
              });
    }

    static Work begin(LongConsumer step) {
      return new Work(step);
    }

    /** How many were acknowledged: those from 1 on. */
    long done() {
      assertThat(end.isCompletedExceptionally()).isFalse();
      return acknowledged.get();
    }

    void join() {
      end.join();
    }

    void stop() {
      stopped = true;
      end.join();
    }
  }
}
