// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationEntry.Outcome;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultMix;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.ForwardingBackend;
import io.tidemark.testkit.objects.Operation;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A migration that dies, or whose requests get lost, loses nothing; the next one finishes it. */
class MigrationCrashTest {

  private static final Map<String, String> OLD =
      Map.of(
          "led.json",
          """
          {"ledgerAlias": "led", "branches": [
            {"commit": {"address": "c7", "branch": "main", "data": {"t": 7},
             "index": {"address": "i5", "data": {"t": 5}}}},
            {"commit": {"address": "c3", "branch": "dev", "data": {"t": 3}}}]}
          """,
          "ns@v1/old@main.json",
          """
          {"@type": ["f:Database"], "f:commit": {"@id": "c9"}, "f:t": 9,
           "f:index": {"@id": "i8", "f:t": 8}, "f:status": "ready"}
          """,
          "ns@v2/mydb/main.json",
          """
          {"@type": ["f:Database"], "f:commit": {"@id": "c42"}, "f:t": 42,
           "f:index": {"@id": "i40", "f:t": 40}, "f:status": "ready"}
          """,
          "ns@v2/s/f/x.json",
          """
          {"@type": ["f:LedgerSource"], "f:ledger": {"@id": "s"}, "f:branch": "f/x",
           "f:commitCid": "c2", "f:t": 2, "f:status": "ready"}
          """,
          "ns@v2/s/f/x.index.json",
          """
          {"f:ledgerIndex": {"f:cid": "i2", "f:t": 2}}
          """,
          "ns@v2/plain/main.json",
          """
          {"v": 2, "pk": "plain:main", "type": "ledger", "head_v": 4, "head": {"address": "c4"}}
          """,
          "ns@v2/plain/main.index.json",
          """
          {"v": 2, "pk": "plain:main", "index_v": 3,
           "index": {"default": {"address": "i4", "t": 4, "rev": 0}}}
          """);

  /** Ends like a process: no request is carried out after so many changes. */
  private static final class CrashingBackend extends ForwardingBackend {
    private final AtomicInteger changesLeft;

    CrashingBackend(ObjectBackend wrapped, int changes) {
      super(wrapped);
      this.changesLeft = new AtomicInteger(changes);
    }

    @Override
    public WriteResult put(String key, Body body, Condition condition, String attempt) {
      dieIfDue();
      return super.put(key, body, condition, attempt);
    }

    @Override
    public DeleteResult delete(String key, Optional<ETag> expected) {
      dieIfDue();
      return super.delete(key, expected);
    }

    private void dieIfDue() {
      if (changesLeft.getAndDecrement() <= 0) {
        throw new IllegalStateException("dead");
      }
    }
  }

  /** A store that can't delete just one version. */
  private static final class PlainDeletes extends ForwardingBackend {
    PlainDeletes(ObjectBackend wrapped) {
      super(wrapped);
    }

    @Override
    public Capabilities capabilities() {
      return new Capabilities(super.capabilities().location(), false);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whereverItDiesEveryRecordIsThereAndTheNextRunFinishes(boolean conditionalDelete) {
    Map<String, NameRecord> migrated = migratedRecords();
    int changes = 0;
    boolean died = true;
    while (died) {
      MemoryBackend place = oldStore();
      ObjectBackend shown = conditionalDelete ? place : new PlainDeletes(place);
      Map<String, NameRecord> before = records(place);
      died = !survives(new CrashingBackend(shown, changes));

      Map<String, NameRecord> between = records(place);
      assertThat(between)
          .containsAnyOf(
              Map.entry("s/f:x", requireNonNull(before.get("s/f:x"))),
              Map.entry("s:f/x", requireNonNull(migrated.get("s:f/x"))));
      before.remove("s/f:x");
      between.remove("s/f:x");
      assertThat(migrated).as("after %s changes", changes).containsAllEntriesOf(between);
      assertThat(between).containsAllEntriesOf(before);
      if (!between.containsKey("old:main")) {
        assertThat(keys(place)).contains("ns@v1/old@main.json");
      }
      if (!between.containsKey("led:main") || !between.containsKey("led:dev")) {
        assertThat(keys(place)).contains("led.json");
      }
      assertThat(migrate(shown))
          .as("after %s changes", changes)
          .noneMatch(line -> line.outcome() == Outcome.FAILED);
      assertThat(records(place)).isEqualTo(migrated);
      assertThat(migrate(shown)).isEmpty();
      assertThat(keys(place)).allMatch(key -> key.startsWith("ns@v2/"));
      changes++;
    }
    assertThat(changes).as("how often it died").isGreaterThan(17);
  }

  @Test
  void requestsAndAnswersThatGetLostAreMadeUpFor() {
    Seed seed = Seed.of("requestsAndAnswersThatGetLostAreMadeUpFor");
    SplittableRandom random = new SplittableRandom(seed.value());
    Map<String, NameRecord> migrated = migratedRecords();
    for (int run = 0; run < 200; run++) {
      MemoryBackend place = oldStore();
      FaultyBackend faulty = new FaultyBackend(place, random.split(), FaultMix.everything(0.2));
      try (NameBackend names = open(faulty, FakeTime.retry(8));
          Stream<MigrationEntry> lines = names.store().migrate(MigrationMode.APPLY)) {
        lines.forEach(line -> {});
      } catch (TidemarkException e) {
        // Too much went wrong at once, so it ended before its time.
      }
      faulty.deliverLateWrites();
      assertThat(migrate(place))
          .as("%s, run %s", seed, run)
          .noneMatch(line -> line.outcome() == Outcome.FAILED);
      assertThat(records(place)).as("%s, run %s", seed, run).isEqualTo(migrated);
      assertThat(migrate(place)).isEmpty();
    }
  }

  @Test
  void anOldDocumentThatChangesMeanwhileIsntDeleted() {
    MemoryBackend place = oldStore();
    FaultyBackend faulty = new FaultyBackend(place);
    String newer = requireNonNull(OLD.get("ns@v1/old@main.json")).replace("9", "11");
    faulty.next(
        Operation.DELETE,
        "ns@v1/old@main.json",
        BackendFault.runBefore(() -> put(place, "ns@v1/old@main.json", newer)));
    assertThat(migrate(faulty))
        .filteredOn(line -> line.outcome() == Outcome.FAILED)
        .containsExactly(
            new MigrationEntry(
                "ns@v1/old@main.json",
                "v1 flat",
                Optional.of(Address.parse("old")),
                Outcome.FAILED,
                "it was changed meanwhile; run this again"));
    assertThat(migrate(place))
        .extracting(MigrationEntry::note)
        .containsExactly(
            "its head is at t 11, but that of the record is at t 9; advance the record's head, or"
                + " delete this one, and run this again");
    assertThat(keys(place)).contains("ns@v1/old@main.json");
  }

  @Test
  void aStoreThatCantBeUsedEndsIt() {
    FaultyBackend faulty = new FaultyBackend(oldStore());
    faulty.always(Operation.PUT, BackendFault.unavailable());
    assertThatThrownBy(
            () -> {
              try (NameBackend names = open(faulty, FakeTime.retry(2));
                  Stream<MigrationEntry> lines = names.store().migrate(MigrationMode.APPLY)) {
                lines.forEach(line -> {});
              }
            })
        .isInstanceOf(StoreUnavailableException.class);
  }

  private static boolean survives(ObjectBackend place) {
    try (NameBackend names = open(place, Retry.standard());
        Stream<MigrationEntry> lines = names.store().migrate(MigrationMode.APPLY)) {
      lines.forEach(line -> {});
      return true;
    } catch (RuntimeException e) {
      assertThat(e).hasStackTraceContaining("dead");
      return false;
    }
  }

  private static MemoryBackend oldStore() {
    MemoryBackend place = new MemoryBackend();
    OLD.forEach((key, text) -> put(place, key, text));
    return place;
  }

  private static void put(ObjectBackend place, String key, String text) {
    new ObjectStore(place, Retry.standard()).put(key, Body.of(text), Condition.none());
  }

  private static Map<String, NameRecord> migratedRecords() {
    MemoryBackend place = oldStore();
    migrate(place);
    Map<String, NameRecord> records = records(place);
    assertThat(records)
        .containsOnlyKeys("led:dev", "led:main", "mydb:main", "old:main", "plain:main", "s:f/x");
    return records;
  }

  private static Map<String, NameRecord> records(ObjectBackend place) {
    Map<String, NameRecord> records = new TreeMap<>();
    try (NameBackend names = open(place, Retry.standard());
        Stream<NameRecord> all = names.list("", "")) {
      all.forEach(record -> records.put(record.address().toString(), record));
    }
    return records;
  }

  private static List<MigrationEntry> migrate(ObjectBackend place) {
    try (NameBackend names = open(place, Retry.standard());
        Stream<MigrationEntry> lines = names.store().migrate(MigrationMode.APPLY)) {
      return lines.toList();
    }
  }

  private static List<String> keys(ObjectBackend place) {
    try (Stream<ObjectInfo> infos = new ObjectStore(place, Retry.standard()).list("")) {
      return infos.map(ObjectInfo::key).toList();
    }
  }

  private static NameBackend open(ObjectBackend place, Retry retry) {
    return new ObjectNameBackend(
        new ObjectStore(place, retry), DocumentLayout.B, retry, Clock.systemUTC());
  }
}
