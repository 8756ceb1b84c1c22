// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameBackend.Retracted;
import io.tidemark.names.NameLocations;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Edits of a record through a server, against writers that use its store without the server. */
@ExtendWith(ServerExtension.class)
final class HttpEditContentionTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final int WRITERS = 8;

  @Test
  void aPurgeWinsInDynamoDb(DynamoDbServer server) throws Exception {
    onDynamoDb(
        server,
        location ->
            assertThat(amongWriters(location, names -> assertThat(names.purge(MYDB)).isTrue()))
                .hasSize(WRITERS)
                .containsOnly(Missing.MISSING));
  }

  @Test
  void aRetractWinsInDynamoDb(DynamoDbServer server) throws Exception {
    onDynamoDb(
        server,
        location ->
            assertThat(amongWriters(location, names -> names.retract(MYDB)))
                .hasSize(WRITERS)
                .containsOnly(Retracted.RETRACTED));
  }

  @Test
  void aPurgeWinsInADirectory(@TempDir Path directory) throws Exception {
    assertThat(amongWriters(directory.toString(), names -> assertThat(names.purge(MYDB)).isTrue()))
        .hasSize(WRITERS)
        .containsOnly(Missing.MISSING);
  }

  @Test
  void aRetractWinsInADirectory(@TempDir Path directory) throws Exception {
    assertThat(amongWriters(directory.toString(), names -> names.retract(MYDB)))
        .hasSize(WRITERS)
        .containsOnly(Retracted.RETRACTED);
  }

  private interface OnLocation {
    void run(String location) throws Exception;
  }

  private static void onDynamoDb(DynamoDbServer server, OnLocation test) throws Exception {
    Map<String, String> credentials =
        Map.of("aws.accessKeyId", server.accessKey(), "aws.secretAccessKey", server.secretKey());
    credentials.forEach(System::setProperty);
    try {
      test.run(
          "dynamodb://%s?create=true&region=%s&endpoint=%s"
              .formatted(server.freshTableName(), server.region(), server.endpoint()));
    } finally {
      credentials.keySet().forEach(System::clearProperty);
    }
  }

  /** Runs an edit through a server while writers change all concerns; returns how those ended. */
  private static List<Outcome> amongWriters(String location, Consumer<NameService> edit)
      throws Exception {
    List<Concern> concerns = List.of(Concern.values());
    CountDownLatch writing = new CountDownLatch(WRITERS * 5);
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    List<NameBackend> direct = new ArrayList<>();
    try (NamesServer server = new NamesServer(NameLocations.open(location));
        NameService names =
            new NameService(server.client(), NameOptions.standard().withoutNotifications())) {
      names.create(MYDB);
      List<Future<Outcome>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Concern concern = concerns.get(i % concerns.size());
        NameBackend backend = NameLocations.open(location);
        direct.add(backend);
        writers.add(pool.submit(() -> write(backend, concern, writing, over)));
      }
      assertThat(writing.await(1, TimeUnit.MINUTES)).isTrue();
      edit.accept(names);
      List<Outcome> ends = new ArrayList<>();
      for (Future<Outcome> writer : writers) {
        ends.add(writer.get(1, TimeUnit.MINUTES));
      }
      return ends;
    } finally {
      over.set(true);
      pool.shutdown();
      assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      direct.forEach(NameBackend::close);
    }
  }

  private static Outcome write(
      NameBackend backend, Concern concern, CountDownLatch writing, AtomicBoolean over) {
    ConcernValue known = backend.get(MYDB, concern).orElseThrow();
    Outcome outcome = new Applied(known);
    while (!over.get()) {
      long t = known.watermark() + 1;
      String json =
          concern == Concern.HEAD ? "{\"id\":\"c%d\",\"t\":%d}".formatted(t, t) : state(t);
      ConcernValue next = ConcernValue.of(t, Payload.parse(json));
      outcome = backend.change(MYDB, new ConcernChange.Push(concern, known, next));
      if (outcome instanceof Refused refused) {
        known = refused.actual();
      } else if (outcome instanceof Applied) {
        known = next;
        writing.countDown();
      } else {
        return outcome;
      }
    }
    return outcome;
  }

  private static String state(long n) {
    return "{\"state\":\"ready\",\"n\":" + n + "}";
  }
}
