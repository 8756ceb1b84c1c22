// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.TidemarkException;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The server is killed with all its backends while several write, again and again. What was
 * acknowledged must be there, what failed must not, and all chains of states must be whole.
 */
class CrashTest {

  private static final int ROUNDS = Boolean.getBoolean("soak") ? 100 : 2;
  private static final int WRITERS = 3;
  private static final int MOST_COMMITS = 40;
  private static final int FEATURES = 30;

  @Test
  void whatWasAcknowledgedIsThereAfterTheServerWasKilled() throws Exception {
    Seed seed = Seed.of("CrashTest");
    RandomGenerator random = seed.random();
    try (PostgresServer server = PostgresServer.start(Map.of("synchronous_commit", "on"))) {
      String url = server.createDatabase();
      List<Writer> writers = new ArrayList<>();
      for (int n = 0; n < WRITERS; n++) {
        writers.add(new Writer("w" + n, new SplittableRandom(random.nextLong())));
      }
      try (Features features = Features.open(url, "store")) {
        features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
      }
      for (int round = 1; round <= ROUNDS; round++) {
        crash(server, url, writers, 1 + random.nextInt(MOST_COMMITS));
        compare(url, writers, "round " + round + ", " + seed);
      }
    }
  }

  /** Kills it after so many commits; those who write go on until they meet a dead server. */
  private static void crash(PostgresServer server, String url, List<Writer> writers, int commits)
      throws InterruptedException {
    CountDownLatch enough = new CountDownLatch(commits);
    AtomicBoolean killed = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try (Features features = Features.open(url, "store")) {
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (Writer writer : writers) {
        ends.add(CompletableFuture.runAsync(() -> writer.run(features, enough, killed), threads));
      }
      assertThat(enough.await(60, TimeUnit.SECONDS)).as("they write").isTrue();
      server.kill();
      killed.set(true);
      server.startAgain();
      ends.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void compare(String url, List<Writer> writers, String when) {
    Map<String, Integer> expected = new TreeMap<>();
    writers.forEach(writer -> expected.putAll(writer.committed));
    try (Features features = Features.open(url, "store")) {
      List<String> ids = new ArrayList<>();
      writers.forEach(writer -> ids.addAll(writer.ids()));
      Map<String, Integer> found = new TreeMap<>();
      for (Feature feature : features.read(r -> r.byIds("foo", ids))) {
        int n = feature.data().path("properties").path("n").intValue();
        found.put(feature.id().orElseThrow(), n);
      }
      assertThat(found).as(when).isEqualTo(expected);
      assertThat(features.checker().check("foo").flaws()).as(when).isEmpty();
    }
  }

  /** Writes features of its own, and remembers what was committed. */
  private static final class Writer {
    final String name;
    final RandomGenerator random;
    final Map<String, Integer> committed = new TreeMap<>();
    private int batches;

    Writer(String name, RandomGenerator random) {
      this.name = name;
      this.random = random;
    }

    List<String> ids() {
      List<String> ids = new ArrayList<>();
      for (int n = 0; n < FEATURES; n++) {
        ids.add(name + "-" + n);
      }
      return ids;
    }

    /**
     * Until the server is killed; what the API says of the batch that was under way must be true.
     */
    void run(Features features, CountDownLatch enough, AtomicBoolean killed) {
      while (!killed.get()) {
        batches++;
        Map<String, Integer> after = new TreeMap<>(committed);
        List<Write> writes = new ArrayList<>();
        for (String id : ids()) {
          if (random.nextInt(3) == 0) {
            writes.add(write(id, after));
          }
        }
        try {
          assertThat(features.write(ALICE, "foo", writes).done()).isTrue();
        } catch (TidemarkException e) {
          // Not CommitUnknownException: the server is back, so it can be asked.
          assertThat(e).isInstanceOf(StorageUnavailableException.class);
          return;
        }
        committed.clear();
        committed.putAll(after);
        enough.countDown();
      }
    }

    private Write write(String id, Map<String, Integer> after) {
      if (random.nextInt(4) == 0) {
        after.remove(id);
        return Write.delete(id);
      }
      after.put(id, batches);
      String json = "{\"id\": \"%s\", \"properties\": {\"n\": %d}}".formatted(id, batches);
      return Write.upsert(Feature.parse(json));
    }
  }
}
