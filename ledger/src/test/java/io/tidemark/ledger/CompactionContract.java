// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.Models.CUSTOMER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionOutcome;
import io.tidemark.ledger.internal.compact.CompactionPlan;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.compact.FileMerge;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Cases H of compaction, F12 and F13: few files, and every answer as before. */
interface CompactionContract {

  LedgerFixture fixture();

  String INDEX = "meta/indices/entities/Customer.json";

  /** Five commits of customers, c1 with a version in each. */
  private Ledger five() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(Models.all())) {
      for (int i = 1; i <= 5; i++) {
        session.ensure(List.of(Customer.of("c1", i), Customer.of("c" + i, i))).commit();
      }
    }
    ledger.flush();
    return ledger;
  }

  private static void commit(Ledger ledger, Record value) {
    try (Session session = ledger.session(Models.all())) {
      assertThat(session.ensure(value).commit()).isPresent();
    }
    ledger.flush();
  }

  private static List<CompactionOutcome> compact(Ledger ledger, CompactionScope compactionScope) {
    return ledger
        .compaction()
        .run(ledger.compaction().plan(compactionScope), CompactionListener.none());
  }

  /** Such as {@code 1-5 7-7}. */
  private String entries() {
    List<String> ranges = new ArrayList<>();
    for (JsonNode entry : fixture().json(INDEX).path("entries")) {
      ranges.add(entry.path("min_commit_id").asLong() + "-" + entry.path("max_commit_id").asLong());
    }
    return String.join(" ", ranges);
  }

  /** What all customers were at all times, by readers that have never seen the ledger before. */
  private List<String> answers() {
    return TemporalQueryResults.some(fixture(), Customer.class);
  }

  private String onlySnapshot() {
    List<String> found = fixture().paths("snapshots/");
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  @Test
  default void h6_aPlanChangesNothing() {
    Ledger ledger = five();
    List<String> paths = fixture().paths();
    List<CompactionPlan> plans = new ArrayList<>();

    long writes =
        fixture()
            .counting()
            .during(() -> plans.add(ledger.compaction().plan(CompactionScope.TIERS)))
            .of(Operation.PUT);

    assertThat(writes).isZero();
    assertThat(plans.get(0).merges()).hasSize(1);
    FileMerge fileMerge = plans.get(0).merges().get(0);
    assertThat(fileMerge.type()).isEqualTo(CUSTOMER);
    assertThat(fileMerge.entryCount()).isEqualTo(5);
    assertThat(fileMerge.minCommitId()).isEqualTo(1);
    assertThat(fileMerge.maxCommitId()).isEqualTo(5);
    assertThat(fixture().paths()).isEqualTo(paths);
  }

  @Test
  default void h6_aSnapshotHasEveryVersionInTheOrderOfCommitsAndIdentities() {
    Ledger ledger = five();
    List<String> before = answers();
    List<String> paths = fixture().paths();

    assertThat(compact(ledger, CompactionScope.TIERS))
        .hasOnlyElementsOfType(CompactionOutcome.Merged.class);

    String snapshot = onlySnapshot();
    assertThat(snapshot).matches("snapshots/entities/Customer-1-5-[0-9a-f]{8}\\.parquet");
    assertThat(fixture().rows(TypeKind.ENTITY, snapshot))
        .extracting(row -> row.commitId() + ":" + row.identity())
        .containsExactly("1:c1", "2:c1", "2:c2", "3:c1", "3:c3", "4:c1", "4:c4", "5:c1", "5:c5");
    JsonNode entry = fixture().json(INDEX).path("entries").path(0);
    assertThat(entries()).isEqualTo("1-5");
    assertThat(entry.path("path").asText()).isEqualTo(snapshot);
    assertThat(entry.path("row_count").asLong()).isEqualTo(9);
    assertThat(entry.path("content_sha256").asText())
        .isEqualTo(LedgerFixture.sha256(fixture().bytes(snapshot)));
    assertThat(fixture().paths()).as("nothing else came or went").hasSize(paths.size() + 1);
    assertThat(answers()).isEqualTo(before);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
    assertThat(LedgerFixture.told(ledger, 5)).hasSize(2);
    assertThat(compact(ledger, CompactionScope.ALL)).as("nothing is left to do").isEmpty();
  }

  @Test
  default void h8_commitsGoOnAfterACompactionAndItCanBeDoneAgain() {
    Ledger ledger = five();
    compact(ledger, CompactionScope.TIERS);
    commit(ledger, Product.of("p1"));
    commit(ledger, Customer.of("c7", 7));
    assertThat(entries()).isEqualTo("1-5 7-7");
    List<String> before = answers();

    compact(ledger, CompactionScope.TIERS);

    assertThat(entries()).isEqualTo("1-7");
    assertThat(answers()).isEqualTo(before);
    try (Session session = fixture().open().session(Models.all())) {
      session.ensure(List.of(Customer.of("c1", 5), Customer.of("c2", 2), Customer.of("c7", 7)));
      assertThat(session.commit()).as("a new writer knows all rows").isEmpty();
    }
  }

  @Test
  default void h9_aCommitDuringCompactionIsNeitherStoppedNorLost() {
    Ledger ledger = five();
    AtomicBoolean done = new AtomicBoolean();
    List<CompactionOutcome> outcomes =
        ledger
            .compaction()
            .run(
                ledger.compaction().plan(CompactionScope.ALL),
                (fileMerge, rows) -> {
                  if (!done.getAndSet(true)) {
                    commit(ledger, Customer.of("c6", 6));
                  }
                });

    assertThat(outcomes).hasOnlyElementsOfType(CompactionOutcome.Merged.class);
    assertThat(entries()).isEqualTo("1-5 6-6");
    assertThat(fixture().json(INDEX).path("max_indexed_commit").asLong()).isEqualTo(6);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
    commit(ledger, Customer.of("c7", 7));
    assertThat(entries()).as("the writer learns of it").isEqualTo("1-5 6-6 7-7");
  }

  @Test
  default void h9_whenTheHeadMovesSoThatTheFilesAreNoLongerUsedTheIndexIsUntouched() {
    Ledger ledger = five();
    Ledger other = fixture().open();
    AtomicBoolean done = new AtomicBoolean();
    List<String> index = new ArrayList<>();
    List<CompactionOutcome> outcomes =
        ledger
            .compaction()
            .run(
                ledger.compaction().plan(CompactionScope.ALL),
                (fileMerge, rows) -> {
                  if (!done.getAndSet(true)) {
                    commit(other, Customer.of("c6", 6));
                    compact(other, CompactionScope.ALL);
                    index.add(fixture().text(INDEX));
                  }
                });

    assertThat(outcomes).hasOnlyElementsOfType(CompactionOutcome.Stale.class);
    assertThat(entries()).isEqualTo("1-6");
    assertThat(fixture().text(INDEX)).isEqualTo(index.get(0));
  }

  @Test
  default void h10_repairOfALaggingIndexKeepsTheSnapshot() {
    Ledger ledger = five();
    compact(ledger, CompactionScope.ALL);
    commit(ledger, Customer.of("c6", 6));
    List<String> before = answers();
    fixture()
        .edit(
            INDEX,
            json -> {
              json.put("max_indexed_commit", 5);
              ((ArrayNode) json.path("entries")).remove(1);
            });

    assertThat(answers()).isEqualTo(before);
    ledger.indices().repair(Depth.NEWEST);

    assertThat(entries()).isEqualTo("1-5 6-6");
    assertThat(answers()).isEqualTo(before);
  }

  @Test
  default void f12_snapshotsAmongFilesOfCommitsAreMergedToo() {
    Ledger ledger = five();
    List<String> before = answers();
    FileMerge all = ledger.compaction().plan(CompactionScope.ALL).merges().get(0);
    FileMerge middle = new FileMerge(CUSTOMER, all.inputs().subList(1, 4));
    ledger.compaction().run(new CompactionPlan(5, List.of(middle)), CompactionListener.none());
    assertThat(entries()).isEqualTo("1-1 2-4 5-5");
    assertThat(answers()).isEqualTo(before);

    compact(ledger, CompactionScope.ALL);

    assertThat(entries()).isEqualTo("1-5");
    assertThat(fixture().json(INDEX).path("entries").path(0).path("row_count").asLong())
        .isEqualTo(9);
    assertThat(answers()).isEqualTo(before);
  }

  @Test
  default void f12_aHoleInAnIndexDoesNotBecomeOneInASnapshot_f15() {
    Ledger ledger = five();
    fixture()
        .edit(
            INDEX,
            json -> {
              ((ArrayNode) json.path("entries")).remove(2);
              byte[] unsealed = CanonicalJson.write(json).getBytes(StandardCharsets.UTF_8);
              json.put("seal_sha256", LedgerFixture.sha256(unsealed));
            });
    String index = fixture().text(INDEX);

    assertThatThrownBy(() -> compact(ledger, CompactionScope.ALL))
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContainingAll(INDEX, "commit 3", "index repair --deep");

    assertThat(fixture().text(INDEX)).isEqualTo(index);
    assertThat(fixture().paths("snapshots/")).isEmpty();
    ledger.indices().repair(Depth.EVERY_COMMIT);
    compact(ledger, CompactionScope.ALL);
    assertThat(entries()).isEqualTo("1-5");
  }

  @Test
  default void f13_aSecondSnapshotOfTheSameCommitsIsAnotherObject() {
    Ledger ledger = five();
    compact(ledger, CompactionScope.ALL);
    String first = onlySnapshot();
    byte[] bytes = fixture().bytes(first);
    fixture().delete(INDEX);
    ledger.indices().repair(Depth.NEWEST);

    compact(ledger, CompactionScope.ALL);

    assertThat(fixture().paths("snapshots/")).hasSize(2).contains(first);
    assertThat(fixture().bytes(first)).isEqualTo(bytes);
    assertThat(fixture().text(INDEX)).doesNotContain(first);
  }

  @Test
  default void f15_aSnapshotThatLacksRowsIsFoundByTheDeepLookAndNotKept() {
    Ledger ledger = five();
    compact(ledger, CompactionScope.ALL);
    List<String> before = answers();
    List<Row> rows = fixture().rows(TypeKind.ENTITY, onlySnapshot());
    byte[] fewer = ForeignLedger.parquet("Customer", List.of(rows.get(0), rows.get(8)));
    fixture().write(onlySnapshot(), fewer);

    assertThat(answers()).as("damaged, so its commits are read").isEqualTo(before);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).holes()).containsExactly(CUSTOMER);
    ledger.indices().repair(Depth.EVERY_COMMIT);
    assertThat(entries()).isEqualTo("1-1 2-2 3-3 4-4 5-5");
    assertThat(answers()).isEqualTo(before);
  }

  @Test
  default void aSnapshotThatIsGoneIsNotMissedByReadersOfOldAndNew() {
    Ledger ledger = five();
    compact(ledger, CompactionScope.ALL);
    List<String> before = answers();
    Ledger old = fixture().open();
    assertThat(old.query().entities(Customer.class).count()).isEqualTo(5);
    fixture().delete(onlySnapshot());

    assertThat(answers()).isEqualTo(before);
    commit(ledger, Customer.of("c6", 6));
    assertThat(old.query().entities(Customer.class).count()).isEqualTo(6);
    try (Session session = fixture().open().session(RecordType.of(Customer.class))) {
      assertThat(session.ensure(Customer.of("c2", 2)).commit()).isEmpty();
    }
    assertThat(LedgerFixture.told(fixture().open(), 5))
        .anyMatch(change -> change.startsWith("update_version entity:Customer c1"));
  }
}
