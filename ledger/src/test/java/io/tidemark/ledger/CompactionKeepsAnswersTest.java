// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.LaterCustomer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.Models.Subscription;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.DropRequest.Dependents;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionPlan;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.compact.FileMerge;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * A random script of commits, a migration and a drop, among which files are compacted and collected
 * and indices get lost or lag. Each time, every temporal query of every commit answers as before,
 * by both executors.
 */
class CompactionKeepsAnswersTest {

  private static final int SCRIPTS = Boolean.getBoolean("soak") ? 60 : 1;
  private static final int COMMITS = 10;
  private static final String INDICES = "meta/indices/";

  @Test
  void everyTemporalQueryAnswersTheSameBeforeAndAfter_seed92() {
    Seed seed = Seed.of("everyTemporalQueryAnswersTheSameBeforeAndAfter");
    RandomGenerator random = seed.random();
    for (int i = 0; i < SCRIPTS; i++) {
      try (LedgerFixture fixture = new LedgerFixture(new MemoryBackend())) {
        new Script(fixture, random, seed.toString()).run();
      }
    }
  }

  /** One ledger and what is done to it. */
  private static final class Script {
    private final LedgerFixture fixture;
    private final RandomGenerator random;
    private final String seed;
    private final Ledger ledger;
    private final List<String> steps = new ArrayList<>();
    private Class<? extends Record> customer = Customer.class;

    Script(LedgerFixture fixture, RandomGenerator random, String seed) {
      this.fixture = fixture;
      this.random = random;
      this.seed = seed;
      this.ledger = fixture.init();
    }

    void run() {
      int migration = 3 + random.nextInt(2);
      int drop = 6 + random.nextInt(3);
      for (int i = 1; i <= COMMITS; i++) {
        if (i == migration) {
          migrate();
        } else if (i == drop) {
          drop();
        } else {
          commit();
        }
        if (random.nextInt(5) == 0 || i == COMMITS) {
          upset();
        }
      }
    }

    private void commit() {
      try (Session session = ledger.session(types())) {
        for (int i = 0; i <= random.nextInt(4); i++) {
          session.ensure(row());
        }
        session.commit();
      }
      ledger.flush();
    }

    private RecordType<?>[] types() {
      return new RecordType<?>[] {
        RecordType.of(customer), RecordType.of(Product.class), RecordType.of(Subscription.class)
      };
    }

    private Record row() {
      String id = "c" + random.nextInt(4);
      long number = random.nextInt(9);
      return switch (random.nextInt(4)) {
        case 0 -> new Product("p" + random.nextInt(3), "P" + number, number / 2.0, "General");
        case 1 -> Subscription.of(id, "p" + random.nextInt(3), number);
        default ->
            customer == Customer.class ? Customer.of(id, number) : LaterCustomer.of(id, number);
      };
    }

    private void migrate() {
      commit(); // so that there is something to migrate
      customer = LaterCustomer.class;
      ledger
          .schemas()
          .migrate(
              List.of(RecordType.of(LaterCustomer.class).schema()),
              Upgraders.none().with(Models.CUSTOMER, 1, row -> row.put("note", "upgraded")),
              Approval.Force.FORCE,
              Map.of());
      ledger.flush();
    }

    private void drop() {
      ledger
          .schemas()
          .drop(
              new DropRequest(Models.SUBSCRIPTION, Set.of(), Dependents.CASCADE, History.PURGE),
              Approval.Force.FORCE,
              Map.of());
      ledger.flush();
      commit();
    }

    /** Does things to indices and files that nobody may notice. */
    private void upset() {
      List<String> before = answers();
      for (int i = 0; i < 3; i++) {
        upsetOnce();
        assertThat(answers()).as("after %s, %s", steps, seed).isEqualTo(before);
      }
      ledger.indices().repair(Depth.EVERY_COMMIT);
      assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).as(seed).isTrue();
    }

    private void upsetOnce() {
      switch (random.nextInt(6)) {
        case 0 -> compact(CompactionScope.TIERS);
        case 1 -> compact(CompactionScope.ALL);
        case 2 -> compactAnyRun();
        case 3 -> loseAnIndex();
        case 4 -> letAnIndexLag();
        default -> {
          steps.add("collect");
          ledger
              .obsoleteSnapshots()
              .find(Duration.ZERO)
              .forEach(ledger.obsoleteSnapshots()::delete);
        }
      }
    }

    private void compact(CompactionScope compactionScope) {
      steps.add("compact " + compactionScope);
      ledger.compaction().run(ledger.compaction().plan(compactionScope), CompactionListener.none());
    }

    private void compactAnyRun() {
      for (FileMerge all : ledger.compaction().plan(CompactionScope.ALL).merges()) {
        int from = random.nextInt(all.entryCount() - 1);
        int to = from + 2 + random.nextInt(all.entryCount() - from - 1);
        FileMerge some = new FileMerge(all.type(), all.inputs().subList(from, to));
        steps.add("compact " + some.type() + " " + some.minCommitId() + "-" + some.maxCommitId());
        ledger.compaction().run(new CompactionPlan(0, List.of(some)), CompactionListener.none());
      }
    }

    private void loseAnIndex() {
      List<String> indices = fixture.paths(INDICES);
      if (!indices.isEmpty()) {
        String lost = indices.get(random.nextInt(indices.size()));
        steps.add("lose " + lost);
        fixture.delete(lost);
      }
    }

    /** As when the writer died before it wrote the index. */
    private void letAnIndexLag() {
      for (String index : fixture.paths(INDICES)) {
        fixture.edit(
            index,
            json -> {
              ArrayNode entries = (ArrayNode) json.path("entries");
              if (!entries.isEmpty()) {
                long first = entries.path(entries.size() - 1).path("min_commit_id").asLong();
                steps.add(index + " lags before " + first);
                entries.remove(entries.size() - 1);
                json.put("max_indexed_commit", first - 1);
              }
            });
      }
    }

    private List<String> answers() {
      List<Function<Queries, QueryBuilder<?>>> types =
          List.of(
              queries -> queries.entities(customer),
              queries -> queries.entities(Product.class),
              queries -> queries.relations(Subscription.class));
      return TemporalQueryResults.all(fixture, types);
    }
  }
}
