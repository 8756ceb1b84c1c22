// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.OrphanCollector;
import io.tidemark.ledger.RewoundHeadException;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.named.NamedBranches;
import io.tidemark.ledger.internal.named.NamedLedgerInitializer;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.names.Address;
import io.tidemark.names.EditDecision;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameService;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.names.watch.FeedSettings;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.server.ledgers.AllowedLedgerLocations;
import io.tidemark.server.ledgers.LedgerSettings;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestLatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers are looked after by however many caretakers there are. */
final class LedgerMaintainerTest {

  private static final Address CRM = Address.parse("crm");
  private static final String HEAD = "ledgers/crm/meta/head.json";
  private static final String INDEX = "ledgers/crm/meta/indices/entities/Customer.json";

  /** What is younger than a lease may be of a writer at work. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static final MaintenanceSchedule QUICK =
      new MaintenanceSchedule(
          Duration.ofMillis(1), Duration.ofMillis(50), Duration.ofMillis(50), SHORT);

  /** For those whose leases last as usual. */
  private static final MaintenanceSchedule HOURLY =
      new MaintenanceSchedule(
          QUICK.after(), QUICK.sweep(), Duration.ofHours(1), OrphanCollector.SAFE_AGE);

  private static final FeedSettings OFTEN = new FeedSettings(Duration.ofMillis(20), 2);

  @Entity
  record Customer(@Key String id, long age) {}

  @TempDir Path directory;
  private NameService names;

  @BeforeEach
  void make() {
    names = NameService.open(directory.toString());
    try (NamedLedgerInitializer init = new NamedLedgerInitializer(names, CRM, Optional.empty())) {
      init.init();
    }
  }

  @AfterEach
  void close() {
    names.close();
  }

  @Test
  void compactsWhatOthersCommitted() {
    commit(9);
    assertThat(merges()).isEqualTo(1);
    try (NameFeed feed = new NameFeed(names, OFTEN);
        LedgerMaintainer ignored = caretaker(names, feed, "one")) {
      await().untilAsserted(() -> assertThat(merges()).isEqualTo(0));
      await().untilAsserted(() -> assertThat(lock()).isEmpty());
    }
    assertThat(rows()).isEqualTo(9);
  }

  @Test
  void repairsAnIndexThatAWriterLeftBehind() {
    commit(2);
    String before = index();
    commit(3);
    overwrite(before);
    assertThat(isSound()).isFalse();
    try (NameFeed feed = new NameFeed(names, OFTEN);
        LedgerMaintainer ignored = caretaker(names, feed, "one")) {
      await().untilAsserted(() -> assertThat(isSound()).isTrue());
    }
  }

  @Test
  void finishesDropsOfBranchesThatWereBrokenOff() {
    commit(1);
    Address dev = CRM.onBranch("dev");
    Address feature = CRM.onBranch("feature");
    NamedBranches branches = new NamedBranches(new NamedLedgers(names), LedgerOptions.standard());
    names.branches().create(CRM, "dev", Optional.empty());
    names.branches().create(dev, "feature", Optional.empty());
    branches.drop(dev);
    // As a process leaves it that dies after its first step.
    assertThat(names.backend().edit(feature, seen -> EditDecision.remove())).isPresent();
    try (NameFeed feed = new NameFeed(names, OFTEN);
        LedgerMaintainer ignored = caretaker(names, feed, "one")) {
      await().untilAsserted(() -> assertThat(names.find(dev)).isEmpty());
      await()
          .untilAsserted(
              () -> assertThat(names.find(CRM).orElseThrow().meta().branches()).isZero());
    }
  }

  @Test
  void tellsHowManyAreBehindUntilTheyAreRepaired() {
    commit(2);
    String before = index();
    commit(3);
    overwrite(before);
    SoftLocks locks = new SoftLocks(names, Clock.systemUTC(), Duration.ofMinutes(5));
    SoftLocks.Acquired held =
        (SoftLocks.Acquired)
            locks.acquire(CRM, Purpose.MAINTENANCE, "another", OptionalLong.empty());
    ServerResources serverResources = ServerResources.of(names);
    try (ServerMaintenance ignored =
        ServerMaintenance.start(serverResources, LedgerSettings.standard(), HOURLY)) {
      await().until(() -> serverResources.meters().scrape().contains("tidemark_upkeep_behind 1.0"));
      locks.release(CRM, Purpose.MAINTENANCE, held.lock());
      await().until(() -> serverResources.meters().scrape().contains("tidemark_upkeep_behind 0.0"));
      assertThat(isSound()).isTrue();
    }
  }

  @Test
  void deletesWhatNobodyNeeds() {
    commit(1);
    String left = "ledgers/crm/commits/2-dead/manifest.json";
    names.objects().orElseThrow().put(left, Body.of("{}"), Condition.none());
    try (NameFeed feed = new NameFeed(names, OFTEN);
        LedgerMaintainer ignored = caretaker(names, feed, "one")) {
      await().untilAsserted(() -> assertThat(names.objects().orElseThrow().get(left)).isEmpty());
    }
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void leavesALedgerAloneWhoseHeadWasSetBack() {
    commit(1);
    ObjectStore store = names.objects().orElseThrow();
    byte[] first = store.get(HEAD).orElseThrow().bytes();
    commit(2);
    long named = names.ledgers().heads(CRM).orElseThrow().commit().t();
    store.put(HEAD, Body.of(first), Condition.none());
    try (NameFeed feed = new NameFeed(names, OFTEN);
        LedgerMaintainer ignored = caretaker(names, feed, "one")) {
      Address other = Address.parse("other");
      try (NamedLedgerInitializer init =
          new NamedLedgerInitializer(names, other, Optional.empty())) {
        init.init();
      }
      commit(other, 9);
      await().untilAsserted(() -> assertThat(merges(other)).isEqualTo(0));
    }
    assertThat(names.ledgers().heads(CRM).orElseThrow().commit().t()).isEqualTo(named);
    try (NamedLedgers.OpenLedger openLedger = open(CRM)) {
      assertThatThrownBy(() -> openLedger.ledger().orphans().find(OrphanCollector.SAFE_AGE))
          .isInstanceOf(RewoundHeadException.class)
          .hasMessageContaining("is at commit 1, but its name says that commit 3 was made");
    }
  }

  @Test
  void leavesALedgerAloneThatAnotherLooksAfter() {
    commit(9);
    SoftLocks locks = new SoftLocks(names, Clock.systemUTC(), Duration.ofMinutes(5));
    SoftLocks.Acquisition held =
        locks.acquire(CRM, Purpose.MAINTENANCE, "another", OptionalLong.empty());
    try (NameFeed feed = new NameFeed(names, OFTEN);
        LedgerMaintainer ignored = caretaker(names, feed, "one")) {
      // A second ledger is looked after many times meanwhile, so this one was looked at, too.
      Address other = Address.parse("other");
      try (NamedLedgerInitializer init =
          new NamedLedgerInitializer(names, other, Optional.empty())) {
        init.init();
      }
      commit(other, 9);
      await().untilAsserted(() -> assertThat(merges(other)).isEqualTo(0));
      assertThat(merges()).isEqualTo(1);
      assertThat(lock().orElseThrow().holder()).isEqualTo("another");
      locks.release(CRM, Purpose.MAINTENANCE, ((SoftLocks.Acquired) held).lock());
      await().untilAsserted(() -> assertThat(merges()).isEqualTo(0));
    }
  }

  @Test
  void severalShareTheWork() {
    commit(9);
    try (NameService elsewhere = NameService.open(directory.toString());
        NameFeed feed = new NameFeed(names, OFTEN);
        NameFeed otherFeed = new NameFeed(elsewhere, OFTEN);
        LedgerMaintainer ignored = caretaker(names, feed, "one");
        LedgerMaintainer alsoIgnored = caretaker(elsewhere, otherFeed, "two")) {
      for (int i = 0; i < 3; i++) {
        commit(9);
        await().untilAsserted(() -> assertThat(merges()).isEqualTo(0));
      }
      await().untilAsserted(() -> assertThat(lock()).isEmpty());
    }
    assertThat(rows()).isEqualTo(9);
    assertThat(isSound()).isTrue();
  }

  @Test
  void takesOverFromOneThatDiedOnceItsLockHasRunOut() {
    commit(9);
    SoftLocks dead = new SoftLocks(names, Clock.systemUTC(), SHORT);
    assertThat(dead.acquire(CRM, Purpose.MAINTENANCE, "dead", OptionalLong.empty()))
        .isInstanceOf(SoftLocks.Acquired.class);
    // Nothing else would have it looked at again: nobody commits, and it is too early for a round.
    MaintenanceSchedule rounds =
        new MaintenanceSchedule(
            Duration.ofMillis(1), Duration.ofHours(1), Duration.ofHours(1), SHORT);
    try (NameFeed feed = new NameFeed(names, OFTEN);
        LedgerMaintainer ignored =
            LedgerMaintainer.start(
                names, feed, shortLease(), AllowedLedgerLocations.besideNames(), "one", rounds)) {
      await().untilAsserted(() -> assertThat(merges()).isEqualTo(0));
      await().untilAsserted(() -> assertThat(lock()).isEmpty());
    }
    assertThat(rows()).isEqualTo(9);
  }

  @Test
  void givesItsLockBackWhenItIsStoppedAtWork() {
    commit(9);
    FaultyBackend backend = new FaultyBackend(DirectoryBackend.open(directory, Durability.SYNC));
    RequestLatch requestLatch = new RequestLatch();
    // To look takes no writing, so this is the beginning of work.
    backend.next(
        (operation, key) -> operation == Operation.PUT && key.startsWith("ledgers/crm/"),
        BackendFault.hold(requestLatch));
    NameBackend slow =
        new ObjectNameBackend(
            new ObjectStore(backend, Retry.standard()),
            DocumentLayout.B,
            Retry.standard(),
            Clock.systemUTC());
    try (NameService held = new NameService(slow);
        NameFeed feed = new NameFeed(held, OFTEN)) {
      LedgerMaintainer ledgerMaintainer = caretaker(held, feed, "one");
      requestLatch.awaitArrival();
      assertThat(lock().orElseThrow().holder()).isEqualTo("one");
      CompletableFuture<Void> closing = CompletableFuture.runAsync(ledgerMaintainer::close);
      requestLatch.open();
      closing.join();
      assertThat(lock()).isEmpty();
    }
    assertThat(rows()).isEqualTo(9);
    assertThat(isSound()).isTrue();
  }

  @Test
  void worksWithTheSettingsOfItsServer() {
    commit(9);
    Path cache = directory.resolve("own-cache");
    LedgerSettings settings = LedgerSettings.standard().withCache(Optional.of(cache));
    assertThat(settings.options().queries().cache()).isEqualTo(cache);
    try (ServerMaintenance ignored =
        ServerMaintenance.start(ServerResources.of(names), settings, HOURLY)) {
      await().untilAsserted(() -> assertThat(merges()).isEqualTo(0));
    }
  }

  @Test
  void endsAllItsPartsWhicheverOfThemFails() {
    List<String> ended = new ArrayList<>();
    ServerMaintenance serverMaintenance = ServerMaintenance.none();
    for (String part : List.of("first", "second", "third")) {
      AutoCloseable unused =
          serverMaintenance.with(
              () -> {
                ended.add(part);
                if (!part.equals("first")) {
                  throw new IOException(part);
                }
              });
    }
    assertThatThrownBy(serverMaintenance::close)
        .satisfies(
            failed ->
                assertThat(failed.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly("third", "second"));
    assertThat(ended).containsExactly("third", "second", "first");
  }

  private LedgerMaintainer caretaker(NameService of, NameFeed feed, String holder) {
    return LedgerMaintainer.start(
        of, feed, shortLease(), AllowedLedgerLocations.besideNames(), holder, QUICK);
  }

  private static LedgerOptions shortLease() {
    WriterSettings usual = WriterSettings.standard();
    return LedgerOptions.standard()
        .withWriter(
            new WriterSettings(
                "caretaker",
                SHORT,
                usual.lockTimeout(),
                usual.idleAfter(),
                usual.retry(),
                usual.time()));
  }

  private Optional<SoftLocks.Lock> lock() {
    return new SoftLocks(names, Clock.systemUTC(), Duration.ofMinutes(5))
        .find(CRM, Purpose.MAINTENANCE);
  }

  private void commit(int times) {
    commit(CRM, times);
  }

  /** As many commits, each with a change of its own. */
  private void commit(Address address, int times) {
    try (NamedLedgers.OpenLedger openLedger = open(address)) {
      for (int i = 0; i < times; i++) {
        try (Session session = openLedger.ledger().session(RecordType.of(Customer.class))) {
          session.ensure(new Customer("c" + i, System.nanoTime()));
          session.commit(Map.of());
        }
      }
    }
  }

  private NamedLedgers.OpenLedger open(Address address) {
    return new NamedLedgers(names).open(address, LedgerOptions.standard());
  }

  private int merges() {
    return merges(CRM);
  }

  private int merges(Address address) {
    try (NamedLedgers.OpenLedger openLedger = open(address)) {
      return openLedger.ledger().compaction().plan(CompactionScope.FULL_TIERS).merges().size();
    }
  }

  private boolean isSound() {
    try (NamedLedgers.OpenLedger openLedger = open(CRM)) {
      return openLedger.ledger().indices().verify(Depth.EVERY_COMMIT).ok();
    }
  }

  private long rows() {
    try (NamedLedgers.OpenLedger openLedger = open(CRM)) {
      return openLedger.ledger().query().entities(Customer.class).count();
    }
  }

  private String index() {
    return names.objects().orElseThrow().get(INDEX).orElseThrow().text();
  }

  private void overwrite(String text) {
    names.objects().orElseThrow().put(INDEX, Body.of(text), Condition.none());
  }
}
