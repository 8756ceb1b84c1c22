// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationEntry.Outcome;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.names.Ref;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A migration runs beside writers and other migrations without taking anything from them. */
class MigrationRaceTest {

  private static final int RECORDS = 40;
  private static final int ROUNDS = 8;

  private final MemoryBackend place = new MemoryBackend();
  private final ObjectStore store = new ObjectStore(place, Retry.standard());

  @Test
  void noPushIsLostToAMigration() throws Exception {
    for (int i = 0; i < RECORDS; i++) {
      put(
          "ns@v2/db" + i + "/main.json",
          "{\"@type\":[\"f:Database\"],\"f:commit\":{\"@id\":\"c0\"},\"f:t\":1,"
              + "\"f:index\":{\"@id\":\"i0\",\"f:t\":1},\"f:status\":\"ready\",\"x\":1}");
    }
    List<Callable<Integer>> work = new ArrayList<>();
    work.add(this::pushHeads);
    work.add(this::pushIndices);
    work.add(this::countStatus);
    work.add(this::migrateAgainAndAgain);
    work.add(this::migrateAgainAndAgain);
    runAtOnce(work);

    try (NameService names = open()) {
      for (int i = 0; i < RECORDS; i++) {
        NameRecord record = names.find(address(i)).orElseThrow();
        assertThat(record.commit()).isEqualTo(Ref.of("c" + ROUNDS, 1 + ROUNDS));
        assertThat(record.indexed()).isEqualTo(Ref.of("i" + ROUNDS, 1 + ROUNDS));
        assertThat(record.status().watermark()).isEqualTo(1 + ROUNDS);
        assertThat(store.get("ns@v2/db" + i + "/main.json").orElseThrow().text())
            .contains("\"x\": 1", "\"tm:rev\"")
            .doesNotContain("\"f:commit\"");
      }
    }
    assertThat(migrate()).isEmpty();
  }

  @Test
  void anOldPlaceAndItsCreatorMeet() throws Exception {
    for (int i = 0; i < RECORDS; i++) {
      put(
          "ns@v1/db" + i + "@main.json",
          "{\"@type\":[\"f:Database\"],\"f:commit\":{\"@id\":\"old\"},\"f:t\":1,"
              + "\"f:index\":{\"@id\":\"old\",\"f:t\":1},\"f:status\":\"ready\"}");
    }
    List<Callable<Integer>> work = new ArrayList<>();
    work.add(this::createAndPush);
    work.add(this::migrateAgainAndAgain);
    work.add(this::migrateAgainAndAgain);
    runAtOnce(work);
    migrate();

    try (NameService names = open()) {
      for (int i = 0; i < RECORDS; i++) {
        NameRecord record = names.find(address(i)).orElseThrow();
        assertThat(record.commit()).isEqualTo(Ref.of("new", 2));
        assertThat(record.indexed()).isEqualTo(Ref.of("new", 2));
        assertThat(store.get("ns@v1/db" + i + "@main.json")).isEmpty();
      }
    }
    assertThat(migrate()).isEmpty();
  }

  private int pushHeads() {
    try (NameService names = open()) {
      for (int round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < RECORDS; i++) {
          PushResult pushed =
              names.ledgers().publishCommit(address(i), Ref.of("c" + round, 1 + round));
          assertThat(pushed).isInstanceOf(PushResult.Updated.class);
        }
      }
    }
    return 0;
  }

  private int pushIndices() {
    try (NameService names = open()) {
      for (int round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < RECORDS; i++) {
          PushResult pushed =
              names.ledgers().publishIndex(address(i), Ref.of("i" + round, 1 + round));
          assertThat(pushed).isInstanceOf(PushResult.Updated.class);
        }
      }
    }
    return 0;
  }

  private int countStatus() {
    try (NameService names = open()) {
      for (int round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < RECORDS; i++) {
          Optional<ConcernValue> seen = names.get(address(i), Concern.STATUS);
          ConcernValue next =
              ConcernValue.of(1 + round, Payload.parse("{\"state\":\"s" + round + "\"}"));
          PushResult pushed = names.push(address(i), Concern.STATUS, seen, next);
          assertThat(pushed).isInstanceOf(PushResult.Updated.class);
        }
      }
    }
    return 0;
  }

  private int createAndPush() {
    try (NameService names = open()) {
      for (int i = RECORDS - 1; i >= 0; i--) {
        Optional<ConcernValue> none = Optional.empty();
        names.push(
            address(i),
            Concern.HEAD,
            none,
            ConcernValue.of(1, Payload.parse("{\"id\":\"mine\",\"t\":1}")));
        names.ledgers().publishCommit(address(i), Ref.of("new", 2));
        names.ledgers().publishIndex(address(i), Ref.of("new", 2));
      }
    }
    return 0;
  }

  private int migrateAgainAndAgain() {
    for (int i = 0; i < 5; i++) {
      assertThat(migrate()).noneMatch(line -> line.outcome() == Outcome.FAILED);
    }
    return 0;
  }

  private List<MigrationEntry> migrate() {
    try (NameBackend names = backend();
        Stream<MigrationEntry> lines = names.store().migrate(MigrationMode.APPLY)) {
      return lines.toList();
    }
  }

  private static void runAtOnce(List<Callable<Integer>> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(work.size());
    try {
      for (Future<Integer> done : threads.invokeAll(work)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private NameService open() {
    return new NameService(backend());
  }

  private NameBackend backend() {
    return new ObjectNameBackend(
        new ObjectStore(place, Retry.standard()),
        DocumentLayout.B,
        Retry.standard(),
        Clock.systemUTC());
  }

  private static Address address(int i) {
    return Address.parse("db" + i);
  }

  private void put(String key, String text) {
    store.put(key, Body.of(text), Condition.none());
  }
}
