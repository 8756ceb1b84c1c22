// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.branch.MergeOutcome;
import io.tidemark.ledger.internal.branch.MergeOutcome.Conflict;
import io.tidemark.ledger.internal.branch.MergeOutcome.Conflicted;
import io.tidemark.ledger.internal.branch.Revision;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.objects.FakeClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random edits on two branches and random merges in both directions, compared with a model: a map
 * for each branch, and for each merge the state that both sides knew last. Between them files are
 * compacted, indices lost and repaired, and all is collected that nobody refers to, which nobody
 * may notice.
 */
class RandomMergesTest {

  private static final int ROUNDS = 8;
  private static final int STEPS = 18;
  private static final List<BranchName> BRANCHES = List.of(BranchName.MAIN, new BranchName("dev"));

  private final RandomGenerator random = Seed.of("RandomMergesTest").random();
  private final FakeClock clock = new FakeClock(Instant.parse("2026-03-01T12:00:00Z"));

  /** A branch as it should be; the version of an identity has a number and a word. */
  private static final class Model {
    private Map<String, Customer> rows = new TreeMap<>();
  }

  @Test
  void aMergeComesToWhatTheModelSays() {
    for (int i = 0; i < ROUNDS; i++) {
      try (ObjectStore store = new ObjectStore(new MemoryBackend(clock), Retry.standard())) {
        round(store);
      }
    }
  }

  private void round(ObjectStore store) {
    new LedgerInitializer(store, "").init();
    LedgerObjects objects = new LedgerObjects(store, "");
    List<Ledger> ledgers = new ArrayList<>();
    List<Model> models = List.of(new Model(), new Model());
    ledgers.add(Ledger.open(objects, LedgerFixture.options()));
    edit(ledgers.get(0), models.get(0));
    ledgers.get(0).branches().create(BRANCHES.get(1));
    ledgers.add(Ledger.open(objects.forBranch(BRANCHES.get(1)), LedgerFixture.options()));
    models.get(1).rows = new TreeMap<>(models.get(0).rows);
    Map<String, Customer> base = models.get(0).rows;
    try {
      for (int i = 0; i < STEPS; i++) {
        int side = random.nextInt(2);
        switch (random.nextInt(6)) {
          case 0 -> keepUp(ledgers.get(side), objects.forBranch(BRANCHES.get(side)));
          case 1, 2 -> base = merge(ledgers, models, side, base);
          default -> edit(ledgers.get(side), models.get(side));
        }
        compare(ledgers, models);
      }
    } finally {
      ledgers.forEach(Ledger::close);
    }
  }

  private void keepUp(Ledger ledger, LedgerObjects branch) {
    switch (random.nextInt(4)) {
      case 0 -> compact(ledger, CompactionScope.ALL);
      case 1 -> compact(ledger, CompactionScope.TIERS);
      case 2 -> {
        HeadCache.branchObjects(branch).delete(LedgerLayout.index(Models.CUSTOMER));
        if (random.nextBoolean()) {
          ledger.indices().repair(Depth.EVERY_COMMIT);
          assertThat(ledger.indices().verify(Depth.EVERY_COMMIT))
              .matches(IndexMaintenance.Report::ok);
        }
      }
      default -> {
        clock.jump(OrphanCollector.SAFE_AGE.plusHours(1));
        ledger.orphans().find(OrphanCollector.SAFE_AGE).forEach(ledger.orphans()::delete);
        ledger
            .obsoleteSnapshots()
            .find(OrphanCollector.SAFE_AGE)
            .forEach(ledger.obsoleteSnapshots()::delete);
      }
    }
  }

  private static void compact(Ledger ledger, CompactionScope compactionScope) {
    ledger.flush();
    ledger.compaction().run(ledger.compaction().plan(compactionScope), CompactionListener.none());
  }

  private void edit(Ledger ledger, Model model) {
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      for (int i = random.nextInt(3); i >= 0; i--) {
        String id = "c" + random.nextInt(6);
        Customer old = model.rows.getOrDefault(id, Customer.of(id, 0));
        Customer next =
            new Customer(
                id,
                old.name(),
                random.nextBoolean() ? random.nextInt(4) : old.age(),
                Optional.empty(),
                random.nextBoolean() ? "t" + random.nextInt(3) : old.tier(),
                old.active());
        session.ensure(next);
        model.rows = new TreeMap<>(model.rows);
        model.rows.put(id, next);
      }
      session.commit();
    }
  }

  /** Merges the other side into one, and says what both know then. */
  private Map<String, Customer> merge(
      List<Ledger> ledgers, List<Model> models, int side, Map<String, Customer> base) {
    Map<String, Customer> ours = models.get(side).rows;
    Map<String, Customer> theirs = models.get(1 - side).rows;
    Map<String, Customer> merged = new TreeMap<>(ours);
    TreeSet<String> conflicts = new TreeSet<>();
    ConflictResolution conflictResolution =
        List.of(ConflictResolution.values()).get(random.nextInt(3));
    for (Map.Entry<String, Customer> each : theirs.entrySet()) {
      String id = each.getKey();
      Optional<Customer> row =
          merged(base.get(id), ours.get(id), each.getValue(), conflictResolution);
      row.ifPresentOrElse(found -> merged.put(id, found), () -> conflicts.add(id));
    }
    MergeOutcome outcome =
        ledgers.get(side).merge(BRANCHES.get(1 - side), conflictResolution).apply(Map.of());
    if (!conflicts.isEmpty()) {
      assertThat(outcome).isInstanceOf(Conflicted.class);
      assertThat(((Conflicted) outcome).first())
          .extracting(Conflict::identity)
          .extracting(Object::toString)
          .containsExactlyInAnyOrderElementsOf(conflicts);
      return base;
    }
    assertThat(outcome).isNotInstanceOf(Conflicted.class);
    models.get(side).rows = merged;
    return theirs;
  }

  private static Optional<Customer> merged(
      @Nullable Customer base,
      @Nullable Customer ours,
      Customer theirs,
      ConflictResolution conflictResolution) {
    if (ours == null) {
      return Optional.of(theirs);
    }
    Optional<Object> age =
        field(base == null ? null : base.age(), ours.age(), theirs.age(), conflictResolution);
    Optional<Object> tier =
        field(base == null ? null : base.tier(), ours.tier(), theirs.tier(), conflictResolution);
    return age.isEmpty() || tier.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Customer(
                ours.id(),
                ours.name(),
                (Long) age.get(),
                Optional.empty(),
                (String) tier.get(),
                ours.active()));
  }

  private static Optional<Object> field(
      @Nullable Object base, Object ours, Object theirs, ConflictResolution conflictResolution) {
    if (ours.equals(theirs) || Objects.equals(base, theirs)) {
      return Optional.of(ours);
    }
    if (Objects.equals(base, ours) || conflictResolution == ConflictResolution.THEIRS) {
      return Optional.of(theirs);
    }
    return conflictResolution == ConflictResolution.OURS ? Optional.of(ours) : Optional.empty();
  }

  private static void compare(List<Ledger> ledgers, List<Model> models) {
    for (int i = 0; i < ledgers.size(); i++) {
      assertThat(rows(ledgers.get(i))).isEqualTo(models.get(i).rows);
    }
    Map<String, String> told = new TreeMap<>();
    ledgers
        .get(0)
        .diff(
            new Revision.Newest(BRANCHES.get(0)), new Revision.Newest(BRANCHES.get(1)), rows -> {})
        .forEach(
            each ->
                told.put(
                    each.identity().toString(),
                    each.before().map(RandomMergesTest::customer)
                        + " -> "
                        + each.after().map(RandomMergesTest::customer)));
    Map<String, String> expected = new TreeMap<>();
    TreeSet<String> all = new TreeSet<>(models.get(0).rows.keySet());
    all.addAll(models.get(1).rows.keySet());
    for (String id : all) {
      Optional<Customer> one = Optional.ofNullable(models.get(0).rows.get(id));
      Optional<Customer> other = Optional.ofNullable(models.get(1).rows.get(id));
      if (!one.equals(other)) {
        expected.put(id, one + " -> " + other);
      }
    }
    assertThat(told).isEqualTo(expected);
  }

  private static Map<String, Customer> rows(Ledger ledger) {
    Map<String, Customer> rows = new TreeMap<>();
    ledger
        .reader()
        .asOf(
            Models.CUSTOMER,
            ledger.reader().commitId(),
            row -> rows.put(row.identity().toString(), customer(row)));
    return rows;
  }

  private static Customer customer(Row row) {
    JsonNode json = LedgerFixture.parse(row.fieldsJson());
    return new Customer(
        json.path("id").asText(),
        json.path("name").asText(),
        json.path("age").asLong(),
        Optional.empty(),
        json.path("tier").asText(),
        json.path("active").asBoolean());
  }
}
