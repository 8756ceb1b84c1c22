// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases H: what indices say, and that nothing depends on them but speed. */
interface IndexContract {

  LedgerFixture fixture();

  String A = "meta/indices/entities/Customer.json";
  String B = "meta/indices/entities/Product.json";

  /** Three commits on A and one on B. */
  private Ledger threeAndOne() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c1", 1)).commit();
      session.ensure(Customer.of("c2", 2)).commit();
      session.ensure(Customer.of("c1", 3)).commit();
      ledger.flush(); // or the index of A may be written after the next commit only
      session.ensure(Product.of("p1")).commit();
    }
    ledger.flush();
    return ledger;
  }

  private List<Long> entries(String index) {
    List<Long> commits = new ArrayList<>();
    fixture()
        .json(index)
        .path("entries")
        .forEach(
            entry -> {
              assertThat(entry.path("min_commit_id")).isEqualTo(entry.path("max_commit_id"));
              commits.add(entry.path("min_commit_id").asLong());
            });
    return commits;
  }

  /** That everything committed is still known: asserting it again changes nothing. */
  private void everythingIsKnown() {
    Ledger ledger = fixture().open();
    try (Session session = ledger.session(Models.all())) {
      session.ensure(List.of(Customer.of("c1", 3), Customer.of("c2", 2), Product.of("p1")));
      assertThat(session.commit()).isEmpty();
    }
    assertThat(LedgerFixture.told(ledger, 3))
        .singleElement()
        .asString()
        .startsWith("update_version entity:Customer c1 ");
    ledger.close();
  }

  @Test
  default void h1_anIndexNamesTheFilesOfItsType() {
    Ledger ledger = threeAndOne();

    assertThat(entries(A)).containsExactly(1L, 2L, 3L);
    assertThat(entries(B)).containsExactly(4L);
    ObjectNode index = fixture().json(B);
    assertThat(index.path("type_name").asText()).isEqualTo("Product");
    assertThat(index.path("max_indexed_commit").asLong()).isEqualTo(4);
    assertThat(index.path("entries").path(0).path("path"))
        .isEqualTo(fixture().manifest().path("files").path(0).path("path"));
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
    assertThat(ledger.lastWarning()).isEmpty();
  }

  @Test
  default void decision5_anUntouchedTypeNeedsNoNewIndex() {
    Ledger ledger = threeAndOne();

    assertThat(fixture().json(A).path("max_indexed_commit").asLong()).isEqualTo(3);
    assertThat(fixture().manifest().path("type_heads"))
        .isEqualTo(
            LedgerFixture.parse("{\"entity\":{\"Customer\":3,\"Product\":4},\"relation\":{}}"));
    assertThat(ledger.indices().verify(Depth.NEWEST).ok()).isTrue();
  }

  @Test
  default void h2_aLostIndexIsNoticedRepairedAndNotMissed() {
    Ledger ledger = threeAndOne();
    fixture().delete(A);

    everythingIsKnown();
    IndexMaintenance.Report report = ledger.indices().verify(Depth.NEWEST);
    assertThat(report.ok()).isFalse();
    assertThat(report.head()).isEqualTo(4);
    assertThat(report.lagged()).extracting(TypeId::toString).containsExactly("entity:Customer");
    assertThat(ledger.indices().planRepair(Depth.NEWEST).types()).containsExactly(Models.CUSTOMER);
    assertThat(fixture().paths(A)).isEmpty();
    String head = fixture().text("meta/head.json");

    assertThat(ledger.indices().repair(Depth.NEWEST).types()).containsExactly(Models.CUSTOMER);

    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
    assertThat(ledger.indices().repair(Depth.NEWEST).types()).isEmpty();
    assertThat(fixture().text("meta/head.json")).isEqualTo(head);
    assertThat(entries(A)).containsExactly(1L, 2L, 3L);
    everythingIsKnown();
  }

  @Test
  default void h2_theNextCommitHealsALostIndex() {
    Ledger ledger = threeAndOne();
    fixture().delete(A);
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c3", 1)).commit();
    }
    ledger.flush();

    assertThat(entries(A)).containsExactly(1L, 2L, 3L, 5L);
    assertThat(fixture().json(A).path("max_indexed_commit").asLong()).isEqualTo(5);
  }

  @Test
  default void h3_aStaleAttemptInTheIndexIsNotRead() {
    Ledger ledger = threeAndOne();
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c3", 1)).commit();
    }
    ledger.flush();
    String stale = "commits/5-00000000/entities/Customer.parquet";
    fixture().edit(A, json -> ((ObjectNode) json.path("entries").path(3)).put("path", stale));

    try (Session session = fixture().open().session(Models.all())) {
      assertThat(session.ensure(Customer.of("c3", 1)).commit()).isEmpty();
    }
    assertThat(fixture().open().query().entities(Customer.class).count())
        .as("a query finds the file that the manifest names")
        .isEqualTo(3);
    IndexMaintenance.Report report = ledger.indices().verify(Depth.NEWEST);
    assertThat(report.missingLatest()).containsExactly(Models.CUSTOMER);
    assertThat(report.lagged()).isEmpty();
    ledger.indices().repair(Depth.NEWEST);
    assertThat(fixture().text(A)).doesNotContain(stale);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
  }

  @Test
  default void h5_withoutTheListOfTypesCommitsGoOnAndVerifyFails() {
    Ledger ledger = threeAndOne();
    fixture().delete("meta/schema/types.json");

    try (Session session = ledger.session(Models.all())) {
      assertThat(session.ensure(Customer.of("c3", 1)).commit()).isPresent();
    }
    assertThatThrownBy(() -> ledger.indices().verify(Depth.NEWEST))
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContaining("meta/schema/types.json");
    assertThatThrownBy(() -> ledger.indices().repair(Depth.NEWEST))
        .isInstanceOf(CorruptLedgerException.class);
  }

  @Test
  default void h5_theNextTypeThatIsDeclaredBringsTheListBack() {
    Ledger ledger = threeAndOne();
    fixture().delete("meta/schema/types.json");
    try (Session session = ledger.session(RecordType.of(Models.Person.class))) {
      session.validate();
    }

    assertThat(ledger.schemas().current().keySet())
        .containsExactly(
            Models.CUSTOMER, TypeId.entity("Person"), Models.PRODUCT, Models.SUBSCRIPTION);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not JSON",
        "[]",
        "{\"entries\":[]}",
        "{\"max_indexed_commit\":\"4\",\"entries\":[]}",
        "{\"max_indexed_commit\":4,\"entries\":[{\"min_commit_id\":1}]}",
        "{\"max_indexed_commit\":4,\"entries\":[7]}",
        "{\"max_indexed_commit\":4,\"entries\":[{\"min_commit_id\":1,\"max_commit_id\":3,"
            + "\"path\":\"a\"},{\"min_commit_id\":2,\"max_commit_id\":2,\"path\":\"b\"}]}",
        "{\"max_indexed_commit\":4,\"epoch\":\"another\",\"entries\":[]}"
      })
  default void f14_anIndexOfGarbageIsAsIfItWereMissing(String garbage) {
    Ledger ledger = threeAndOne();
    fixture().write(A, garbage);

    everythingIsKnown();
    assertThat(ledger.indices().verify(Depth.NEWEST).lagged()).containsExactly(Models.CUSTOMER);
    ledger.indices().repair(Depth.NEWEST);
    assertThat(entries(A)).containsExactly(1L, 2L, 3L);
  }

  @Test
  default void f15_aHoleIsFoundByTheDeepLook() {
    Ledger ledger = threeAndOne();
    fixture().edit(A, json -> ((ArrayNode) json.path("entries")).remove(1));

    assertThat(ledger.indices().verify(Depth.NEWEST).ok()).isTrue();
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).holes())
        .containsExactly(Models.CUSTOMER);
    ledger.indices().repair(Depth.EVERY_COMMIT);
    assertThat(entries(A)).containsExactly(1L, 2L, 3L);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
  }

  /** As a reader meets it who looked at the head before a drop, and at the index after it. */
  @Test
  default void anIndexWithoutTheLastCommitOfItsTypeIsNone() {
    Ledger ledger = threeAndOne();
    fixture()
        .edit(
            A,
            json -> {
              json.put("max_indexed_commit", 6);
              json.putArray("entries");
            });

    everythingIsKnown();
    BranchName dev = new BranchName("dev");
    ledger.branches().create(dev);
    assertThat(
            fixture()
                .json(fixture().pathOn(dev, A))
                .path("entries")
                .findValuesAsText("min_commit_id"))
        .as("nor does a branch begin with it")
        .containsExactly("1", "2", "3");
  }

  @Test
  default void f16_anIndexNeverGoesBackWhateverOthersWrite() {
    Ledger ledger = threeAndOne();
    String before = fixture().text(A);
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c3", 1)).commit();
      ledger.flush();
      fixture().write(A, before); // a writer that came late
      session.ensure(Customer.of("c4", 1)).commit();
      ledger.flush();
    }
    assertThat(entries(A)).containsExactly(1L, 2L, 3L, 5L, 6L);
    assertThat(ledger.lastWarning()).isEmpty();
  }

  @Test
  default void fieldsOfOthersStayInAnIndex() {
    Ledger ledger = threeAndOne();
    fixture().edit(A, json -> json.put("their_own", 7));
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c3", 1)).commit();
    }
    ledger.flush();

    assertThat(fixture().json(A).path("their_own").asLong()).isEqualTo(7);
  }

  @Test
  default void h10_repairKeepsASnapshotThatFitsTheChain_f14() {
    Ledger ledger = threeAndOne();
    String snapshot = "snapshots/entities/Customer-1-3-0a1b2c3d.parquet";
    snapshotOf(ledger, snapshot);
    everythingIsKnown();
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();

    fixture().edit(A, json -> json.put("max_indexed_commit", 2));
    ledger.indices().repair(Depth.NEWEST);

    assertThat(fixture().json(A).path("entries")).hasSize(1);
    assertThat(fixture().json(A).path("entries").path(0).path("path").asText()).isEqualTo(snapshot);
    everythingIsKnown();
  }

  @Test
  default void f11_aSnapshotThatCoversTheHeadIsReadOnceAndAlone() {
    Ledger ledger = threeAndOne();
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c9", 1)).commit();
    }
    snapshotOf(ledger, "snapshots/entities/Customer-1-5-0a1b2c3d.parquet");
    fixture().paths("commits/").stream()
        .filter(path -> path.endsWith("entities/Customer.parquet"))
        .forEach(fixture()::delete);

    try (Session session = fixture().open().session(Models.all())) {
      session.ensure(List.of(Customer.of("c1", 3), Customer.of("c9", 1), Product.of("p1")));
      assertThat(session.commit()).isEmpty();
    }
  }

  /** Puts all rows of A into one file, as compaction does, and says so in the index. */
  private void snapshotOf(Ledger ledger, String path) {
    ledger.flush();
    List<Long> commits = entries(A);
    List<Row> rows = new ArrayList<>();
    for (long commit : commits) {
      LedgerFixture.changes(ledger, commit)
          .forEach(identityChange -> rows.add(identityChange.after()));
    }
    fixture().write(path, ForeignLedger.parquet("Customer", rows));
    long last = commits.get(commits.size() - 1);
    fixture()
        .edit(
            A,
            json -> {
              json.put("max_indexed_commit", last);
              json.putArray("entries")
                  .add(
                      CanonicalJson.object()
                          .put("min_commit_id", 1)
                          .put("max_commit_id", last)
                          .put("path", path));
            });
  }
}
