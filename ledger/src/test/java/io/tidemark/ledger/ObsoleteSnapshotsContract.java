// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.compact.ObsoleteSnapshots;
import io.tidemark.ledger.internal.compact.ObsoleteSnapshots.ObsoleteSnapshot;
import io.tidemark.ledger.store.BranchName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Decision 10: snapshots are deleted when no index has named them for long. */
interface ObsoleteSnapshotsContract {

  LedgerFixture fixture();

  /** Compacts after each of so many pairs of commits, all into one. */
  private Ledger compacted(int times) {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(Models.all())) {
      for (int i = 1; i <= times; i++) {
        session.ensure(Customer.of("c1", 2L * i)).commit();
        session.ensure(Customer.of("c1", 2L * i + 1)).commit();
        ledger.flush();
        ledger
            .compaction()
            .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none());
      }
    }
    return ledger;
  }

  private List<String> snapshots() {
    return fixture().paths("snapshots/").stream().filter(p -> p.endsWith(".parquet")).toList();
  }

  private static List<String> paths(List<ObsoleteSnapshot> found) {
    return found.stream().map(ObsoleteSnapshot::path).toList();
  }

  @Test
  default void onlySnapshotsThatNoIndexNamesAreFoundAndTheyAreOldFirst() {
    Ledger ledger = compacted(3);
    String used = fixture().json(CompactionContract.INDEX).at("/entries/0/path").asText();
    assertThat(snapshots()).hasSize(3).contains(used);
    ObsoleteSnapshots obsoleteSnapshots = ledger.obsoleteSnapshots();

    assertThat(obsoleteSnapshots.find(OrphanCollector.SAFE_AGE)).isEmpty();
    List<ObsoleteSnapshot> found = obsoleteSnapshots.find(Duration.ZERO);
    assertThat(paths(found)).hasSize(2).doesNotContain(used);
    List<String> before = TemporalQueryResults.some(fixture(), Customer.class);
    found.forEach(obsoleteSnapshots::delete);

    assertThat(fixture().paths("snapshots/")).containsExactly(used);
    assertThat(obsoleteSnapshots.find(Duration.ZERO)).isEmpty();
    assertThat(TemporalQueryResults.some(fixture(), Customer.class)).isEqualTo(before);
  }

  @Test
  default void theAgeOfASnapshotIsCountedFromWhenItWasReplaced() {
    Ledger ledger = compacted(2);
    String old = paths(ledger.obsoleteSnapshots().find(Duration.ZERO)).get(0);
    List<ObsoleteSnapshot> found = ledger.obsoleteSnapshots().find(Duration.ZERO);

    assertThat(found).hasSize(1);
    assertThat(fixture().json(old + ".superseded").path("superseded_by").asText())
        .isEqualTo(fixture().json(CompactionContract.INDEX).at("/entries/0/path").asText());
    assertThat(found.get(0).since())
        .isEqualTo(
            fixture()
                .store()
                .head(fixture().objects().key(old + ".superseded"))
                .orElseThrow()
                .lastModified());
  }

  @Test
  default void whatTheIndexOfABranchNamesIsInUse() {
    Ledger ledger = compacted(2);
    String old = paths(ledger.obsoleteSnapshots().find(Duration.ZERO)).get(0);
    fixture()
        .write(
            "branches/draft/meta/indices/entities/Customer.json",
            "{\"type_name\":\"Customer\",\"max_indexed_commit\":2,\"entries\":["
                + "{\"min_commit_id\":1,\"max_commit_id\":2,\"path\":\""
                + old
                + "\"}]}");
    fixture().write("branches/draft/meta/head.json", "{\"commit_id\":2}");

    assertThat(ledger.obsoleteSnapshots().find(Duration.ZERO)).isEmpty();
    fixture().delete("branches/draft/meta/indices/entities/Customer.json");
    assertThat(paths(ledger.obsoleteSnapshots().find(Duration.ZERO))).containsExactly(old);
  }

  @Test
  default void eachBranchHasSnapshotsOfItsOwnAndCollectsNoneOfAnother() {
    Ledger main = compacted(1);
    main.branches().create(BranchContract.DEV);
    Ledger dev = fixture().open(BranchContract.DEV);
    BranchContract.ensure(dev, Customer.of("c1", 70));
    BranchContract.ensure(main, Customer.of("c1", 80));
    for (Ledger ledger : List.of(main, dev)) {
      ledger.flush();
      ledger
          .compaction()
          .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none());
    }
    List<String> used = new ArrayList<>();
    for (BranchName branch : List.of(BranchName.MAIN, BranchContract.DEV)) {
      String index = fixture().pathOn(branch, CompactionContract.INDEX);
      used.add(fixture().json(index).at("/entries/0/path").asText());
    }

    for (Ledger ledger : List.of(dev, main)) {
      ledger.obsoleteSnapshots().find(Duration.ZERO).forEach(ledger.obsoleteSnapshots()::delete);
    }

    assertThat(snapshots()).containsExactlyInAnyOrderElementsOf(used).hasSize(2);
    assertThat(BranchContract.ages(fixture().open())).containsExactly("c1=80");
    assertThat(BranchContract.ages(fixture().open(BranchContract.DEV))).containsExactly("c1=70");
  }

  @Test
  default void whatAFailedCompactionLeftIsFoundAndSoIsANoteThatWasForgotten() {
    Ledger ledger = compacted(1);
    String orphan = "snapshots/entities/Customer-1-2-00000000.parquet";
    String note = "snapshots/entities/Customer-1-1-ffffffff.parquet.superseded";
    fixture().write(orphan, "half of a file");
    fixture().write(note, "{}");

    assertThat(ledger.obsoleteSnapshots().find(OrphanCollector.SAFE_AGE)).isEmpty();
    List<ObsoleteSnapshot> found = ledger.obsoleteSnapshots().find(Duration.ZERO);
    assertThat(paths(found)).containsExactly(note, orphan);
    found.forEach(ledger.obsoleteSnapshots()::delete);
    assertThat(fixture().paths("snapshots/")).hasSize(1);
  }
}
