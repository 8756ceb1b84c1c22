// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.SchemaContract.USER;
import static io.tidemark.ledger.SchemaContract.USER_1;
import static io.tidemark.ledger.SchemaContract.USER_2;
import static io.tidemark.ledger.SchemaContract.VERSIONS;
import static io.tidemark.ledger.SchemaContract.doubling;
import static io.tidemark.ledger.SchemaContract.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionOutcome;
import io.tidemark.ledger.internal.compact.CompactionPlan;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.compact.FileMerge;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A ledger that the program of the seed wrote is a ledger like any other. */
interface ForeignLedgerContract {

  LedgerFixture fixture();

  String INDEX = "meta/indices/entities/User.json";

  private static Map<String, String> users(String id, long n) {
    return Map.of(id, payload(id, n));
  }

  private static Map<String, String> product(String sku) {
    return Map.of(
        sku, "{\"category\":\"General\",\"name\":\"Name\",\"price\":9.99,\"sku\":\"" + sku + "\"}");
  }

  /** Two commits on users and one on products between them. */
  private ForeignLedger foreign() {
    ForeignLedger foreign = new ForeignLedger(fixture());
    foreign.init();
    foreign.register(USER_1.get(0));
    foreign.register(RecordType.of(Product.class).schema());
    foreign.commit("User", users("u1", 10));
    foreign.commit("Product", product("p1"));
    foreign.commit("User", users("u1", 11));
    return foreign;
  }

  private static DropRequest purge() {
    return new DropRequest(USER, Set.of(), DropRequest.Dependents.CASCADE, History.PURGE);
  }

  private static long rows(Ledger ledger) {
    return ledger.schemas().planDrop(purge()).rows().getOrDefault(USER, 0L);
  }

  @Test
  default void itIsOpenedAndRead() {
    foreign();
    Ledger ledger = fixture().open();

    assertThat(ledger.log().head()).contains(3L);
    assertThat(ledger.log().newestFirst(0)).extracting(Commit::id).containsExactly(3L, 2L, 1L);
    assertThat(ledger.log().get(2).orElseThrow().runtimeId()).isEqualTo("unknown-runtime");
    assertThat(LedgerFixture.told(ledger, 1))
        .containsExactly("insert entity:User u1 {\"id\":\"u1\",\"n\":10}");
    assertThat(LedgerFixture.told(ledger, 3))
        .containsExactly(
            "update_version entity:User u1 {\"id\":\"u1\",\"n\":10} -> {\"id\":\"u1\",\"n\":11}");
    assertThat(ledger.schemas().current().keySet()).containsExactly(Models.PRODUCT, USER);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
    assertThat(rows(ledger)).isEqualTo(1);
  }

  @Test
  default void itIsCommittedToAndOursSayEverything() {
    foreign();
    String parent = fixture().newestManifest();
    Ledger ledger = fixture().open();
    try (Session session = ledger.session(USER_1)) {
      assertThat(session.ensure(USER, user("u1", 11)).commit()).isEmpty();
      assertThat(session.ensure(USER, user("u2", 1)).commit().orElseThrow().id()).isEqualTo(4);
    }
    ledger.flush();

    ObjectNode manifest = fixture().manifest();
    assertThat(manifest.path("parent_manifest_path").asText()).isEqualTo(parent);
    assertThat(manifest.path("parent_commit_id").asLong()).isEqualTo(3);
    assertThat(manifest.path("files").path(0).path("previous_commit_id").asLong()).isEqualTo(3);
    assertThat(manifest.path("type_heads"))
        .isEqualTo(LedgerFixture.parse("{\"entity\":{\"Product\":2,\"User\":4},\"relation\":{}}"));
    assertThat(manifest.path("type_versions"))
        .isEqualTo(LedgerFixture.parse("{\"entity\":{\"Product\":1,\"User\":1},\"relation\":{}}"));
    assertThat(manifest.path("type_floors"))
        .isEqualTo(LedgerFixture.parse("{\"entity\":{},\"relation\":{}}"));
    assertThat(manifest.has("schema_commits")).isTrue();
    assertThat(manifest.path("ancestors")).hasSize(1);
    assertThat(fixture().json(INDEX).path("entries"))
        .extracting(entry -> entry.path("min_commit_id").asLong())
        .containsExactly(1L, 3L, 4L);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
  }

  @Test
  default void filesOfEachCodecAreCommittedOnAndCompacted() {
    for (String codec : List.of("ZSTD", "LZ4", "LZ4_RAW", "BROTLI", "GZIP", "UNCOMPRESSED")) {
      fixture().paths("").forEach(fixture()::delete);
      ForeignLedger foreign = new ForeignLedger(fixture(), codec);
      foreign.init();
      foreign.register(USER_1.get(0));
      foreign.commit("User", Map.of("u1", payload("u1", 10), "u2", payload("u2", 20)));
      foreign.commit("User", users("u1", 11));
      Ledger ledger = fixture().open();
      try (Session session = ledger.session(USER_1)) {
        assertThat(session.ensure(USER, user("u1", 11)).commit())
            .as("%s: the rows are known", codec)
            .isEmpty();
        assertThat(session.ensure(USER, user("u2", 21)).commit().orElseThrow().id()).isEqualTo(3);
      }
      ledger.flush();
      assertThat(LedgerFixture.told(ledger, 3))
          .as(codec)
          .containsExactly(
              "update_version entity:User u2 {\"id\":\"u2\",\"n\":20} -> {\"id\":\"u2\",\"n\":21}");

      assertThat(
              ledger
                  .compaction()
                  .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none()))
          .as(codec)
          .hasOnlyElementsOfType(CompactionOutcome.Merged.class);

      String snapshot = fixture().json(INDEX).path("entries").path(0).path("path").asText();
      assertThat(fixture().rows(TypeKind.ENTITY, snapshot))
          .as(codec)
          .extracting(row -> row.commitId() + " " + row.fieldsJson())
          .containsExactly(
              "1 " + payload("u1", 10),
              "1 " + payload("u2", 20),
              "2 " + payload("u1", 11),
              "3 " + payload("u2", 21));
      assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).as(codec).isTrue();
      ledger.close();
    }
  }

  private static String payload(String id, long n) {
    return CanonicalJson.write(user(id, n));
  }

  @Test
  default void theTwoTakeTurns() {
    ForeignLedger foreign = foreign();
    Ledger ledger = fixture().open();
    try (Session session = ledger.session(USER_1)) {
      for (int i = 0; i < 3; i++) {
        session.ensure(USER, user("ours", i)).commit();
        ledger.flush();
        foreign.commit("User", users("theirs", i));
        assertThat(session.ensure(USER, user("theirs", i)).commit()).isEmpty();
      }
      session.ensure(USER, user("ours", 9)).commit();
    }
    ledger.flush();
    assertThat(ledger.log().head()).contains(10L);
    assertThat(fixture().manifest().path("type_heads").path("entity").path("Product").asLong())
        .isEqualTo(2);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
    assertThat(ledger.log().newestFirst(0)).hasSize(10);
    assertThat(rows(fixture().open())).isEqualTo(3);
  }

  @Test
  default void theOtherMayCommitToOurs() {
    Ledger ledger = fixture().init();
    ForeignLedger foreign = new ForeignLedger(fixture());
    try (Session session = ledger.session(USER_1)) {
      session.ensure(USER, user("u1", 10)).commit();
      ledger.flush();
      String epoch = fixture().json("meta/head.json").path("epoch").asText();
      foreign.commit("User", users("u1", 11));
      assertThat(fixture().json("meta/head.json").has("epoch")).isFalse();

      assertThat(session.ensure(USER, user("u1", 11)).commit()).isEmpty();
      assertThat(session.ensure(USER, user("u1", 12)).commit().orElseThrow().id()).isEqualTo(3);
      assertThat(fixture().json("meta/head.json").path("epoch").asText()).isEqualTo(epoch);
    }
    ledger.flush();
    assertThat(ledger.lastWarning()).isEmpty();
    assertThat(fixture().manifest().path("type_heads"))
        .isEqualTo(LedgerFixture.parse("{\"entity\":{\"User\":3},\"relation\":{}}"));
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
  }

  @Test
  default void itsIndexIsRepaired() {
    foreign();
    String index = fixture().text(INDEX);
    fixture().delete(INDEX);
    Ledger ledger = fixture().open();

    assertThat(rows(ledger)).isEqualTo(1);
    assertThat(ledger.indices().verify(Depth.NEWEST).lagged()).containsExactly(USER);
    ledger.indices().repair(Depth.NEWEST);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
    assertThat(fixture().json(INDEX).path("entries")).hasSize(2);
    assertThat(fixture().json(INDEX).path("max_indexed_commit"))
        .isEqualTo(LedgerFixture.parse(index).path("max_indexed_commit"));
  }

  @Test
  default void aHoleInItsIndexIsFilledFromTheChain() {
    ForeignLedger foreign = foreign();
    foreign.commit("User", users("u2", 5));
    foreign.commit("User", users("u1", 12));
    fixture()
        .edit(INDEX, json -> removeEntries((ArrayNode) json.path("entries"), Set.of(1L, 3L, 4L)));
    Ledger ledger = fixture().open();

    assertThat(versions(ledger, true)).containsExactly("1 u1 10", "3 u1 11", "4 u2 5", "5 u1 12");
    assertThat(versions(ledger, false)).containsExactly("4 u2 5", "5 u1 12");
    assertThat(LedgerFixture.told(ledger, 5))
        .containsExactly(
            "update_version entity:User u1 {\"id\":\"u1\",\"n\":11} -> {\"id\":\"u1\",\"n\":12}");
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).holes()).containsExactly(USER);
    try (Session session = ledger.session(USER_1)) {
      assertThat(session.ensure(USER, user("u2", 5)).commit()).isEmpty();
      assertThat(session.ensure(USER, user("u3", 1)).commit()).isPresent();
    }
    ledger.flush();
    assertThat(fixture().json(INDEX).path("entries"))
        .extracting(entry -> entry.path("min_commit_id").asLong())
        .containsExactly(1L, 3L, 4L, 5L, 6L);
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
  }

  private static void removeEntries(ArrayNode entries, Set<Long> commits) {
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (commits.contains(entries.path(i).path("min_commit_id").asLong())) {
        entries.remove(i);
      }
    }
  }

  /** Such as {@code 3 u1 11}: the commit, the id and the number, in the order of commits. */
  private static List<String> versions(Ledger ledger, boolean history) {
    QueryBuilder<ObjectNode> query = ledger.query().rows(USER);
    return (history ? query.history() : query)
        .list().stream()
            .map(
                resultRow ->
                    resultRow.meta().commitId()
                        + " "
                        + resultRow.value().path("id").asText()
                        + " "
                        + resultRow.value().path("n").asLong())
            .sorted()
            .toList();
  }

  @Test
  default void theRowsOfItsFilesAreCountedByTheirManifests() {
    foreign()
        .commit("User", Map.of("u2", "{\"id\":\"u2\",\"n\":1}", "u3", "{\"id\":\"u3\",\"n\":2}"));
    Ledger ledger = fixture().open();
    CompactionPlan compactionPlan = ledger.compaction().plan(CompactionScope.ALL);
    assertThat(compactionPlan.merges()).extracting(FileMerge::rows).containsExactly(4L);
    ledger.compaction().run(compactionPlan, CompactionListener.none());

    fixture().edit(INDEX, ForeignLedgerContract::asTheOtherHasIt);
    new ForeignLedger(fixture()).commit("User", users("u4", 1));
    CompactionPlan next = fixture().open().compaction().plan(CompactionScope.ALL);
    assertThat(next.merges()).extracting(FileMerge::rows).containsExactly(5L);
    assertThat(ledger.compaction().run(next, CompactionListener.none()))
        .singleElement()
        .isInstanceOfSatisfying(
            CompactionOutcome.Merged.class,
            done -> assertThat(done.snapshot().rowCount()).hasValue(5));
  }

  @Test
  default void aCatalogWithoutVersionsIsRepairedFromTheRegistry() {
    ForeignLedger foreign = foreign();
    fixture().delete(VERSIONS);
    fixture().delete("meta/schema/versions/entity/Product.json");
    Ledger ledger = fixture().open();

    assertThatThrownBy(() -> ledger.schemas().current(USER))
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContainingAll(VERSIONS, "index repair --deep --apply");
    try (Session session = ledger.session(USER_1)) {
      session.ensure(USER, user("u2", 5));
      assertThatThrownBy(session::commit)
          .isInstanceOf(CorruptLedgerException.class)
          .hasMessageContaining("index repair --deep --apply");
    }
    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).catalog())
        .extracting(finding -> finding.text() + " " + finding.mendable())
        .containsExactly(
            "meta/schema/versions/entity/Product.json is missing true",
            VERSIONS + " is missing true");

    ledger.indices().repair(Depth.EVERY_COMMIT);

    assertThat(ledger.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
    assertThat(ledger.schemas().current(USER).orElseThrow().id()).isEqualTo(1);
    assertThat(versions(fixture().open(), false)).containsExactly("3 u1 11");
    foreign.commit("User", users("u1", 12));
    try (Session session = ledger.session(USER_1)) {
      assertThat(session.ensure(USER, user("u1", 12)).commit()).isEmpty();
      assertThat(session.ensure(USER, user("u2", 5)).commit()).isPresent();
    }
    fixture().delete(VERSIONS); // with a newest commit that is ours
    assertThatThrownBy(() -> fixture().open().schemas().current(USER))
        .hasMessageContaining("index repair --deep --apply");
    ledger.indices().repair(Depth.EVERY_COMMIT);
    assertThat(fixture().open().schemas().current(USER).orElseThrow().id()).isEqualTo(1);
  }

  private static void asTheOtherHasIt(ObjectNode index) {
    index.remove(List.of("seal_sha256", "epoch"));
    index
        .path("entries")
        .forEach(entry -> ((ObjectNode) entry).retain("min_commit_id", "max_commit_id", "path"));
  }

  @Test
  default void itsFilesAreCheckedByTheirManifests() {
    ForeignLedger foreign = foreign();
    String path = foreign.commit("User", users("u1", 12));
    byte[] bytes = fixture().bytes(path);
    bytes[bytes.length - 20] ^= 1;
    fixture().write(path, bytes);

    try (Session session = fixture().open().session(USER_1)) {
      session.ensure(USER, user("u2", 1));
      assertThatThrownBy(session::commit)
          .isInstanceOf(CorruptLedgerException.class)
          .hasMessageContaining(path)
          .hasMessageContaining("SHA-256");
    }
  }

  @Test
  default void aSchemaThatTheOtherChangedIsDriftAlsoWithoutACommitOfIt() {
    ForeignLedger foreign = foreign();
    try (Session session = fixture().open().session(USER_1)) {
      session.ensure(USER, user("u1", 12)).commit();
      String versions = fixture().text(VERSIONS);
      foreign.register(USER_2.get(0));
      fixture()
          .edit(
              VERSIONS,
              json -> {
                ObjectNode second = (ObjectNode) json.path("versions").path(0).deepCopy();
                json.putArray("versions")
                    .add(LedgerFixture.parse(versions).path("versions").path(0))
                    .add(second.put("schema_version_id", 2));
              });
      foreign.commit("Product", product("p2"));

      session.ensure(USER, user("u1", 13));
      assertThatThrownBy(session::commit)
          .isInstanceOf(SchemaOutdatedException.class)
          .hasMessageContaining("entity:User v2: removed email");
    }
  }

  @Test
  default void f5_itIsMigratedOnceWhateverFollows() {
    ForeignLedger foreign = foreign();
    String versions = fixture().text(VERSIONS);
    Ledger ledger = fixture().open();
    ledger.schemas().migrate(USER_2, doubling(), Approval.Force.FORCE, Map.of());
    ledger.close();
    assertThat(fixture().json(VERSIONS).path("versions")).hasSize(2);
    fixture().write(VERSIONS, versions); // as if it had died after moving the head
    foreign.commit("Product", product("p2"));

    Ledger later = fixture().open();
    assertThat(later.schemas().migrate(USER_2, doubling(), Approval.Force.FORCE, Map.of()))
        .isEmpty();
    try (Session session = later.session(USER_2)) {
      session.ensure(USER, user("u1", 22).put("email", "a@b.c"));
      assertThat(session.commit()).isEmpty();
    }
  }

  @Test
  default void f4_whatWasDroppedStaysGone() {
    foreign();
    Ledger ledger = fixture().open();
    ledger.schemas().drop(purge(), Approval.Force.FORCE, Map.of());
    try (Session session = ledger.session(USER_1)) {
      session.ensure(USER, user("new", 1)).commit();
    }
    ledger.flush();

    assertThat(rows(fixture().open())).isEqualTo(1);
    assertThat(fixture().json(INDEX).path("entries")).hasSize(1);
    fixture().delete(INDEX);
    assertThat(rows(fixture().open())).isEqualTo(1);
    ledger.indices().repair(Depth.NEWEST);
    assertThat(rows(fixture().open())).isEqualTo(1);
    assertThat(ledger.schemas().current(USER).orElseThrow().id()).isEqualTo(2);
  }

  @Test
  default void f4_whatTheOtherDroppedStaysGoneToo() {
    ForeignLedger foreign = foreign();
    foreign.drop("User");
    foreign.register(USER_1.get(0));
    foreign.commit("User", users("new", 1));
    Ledger ledger = fixture().open();
    assertThat(rows(ledger)).isEqualTo(1);

    fixture().delete(INDEX);
    assertThat(rows(ledger)).isEqualTo(1);
    try (Session session = ledger.session(USER_1)) {
      assertThat(session.ensure(USER, user("u1", 11)).commit()).isPresent();
    }
    ledger.flush();
    assertThat(fixture().json(INDEX).path("entries"))
        .extracting(entry -> entry.path("min_commit_id").asLong())
        .containsExactly(5L, 6L);
    assertThat(LedgerFixture.told(ledger, 6)).singleElement().asString().startsWith("insert ");
    assertThat(LedgerFixture.told(ledger, 3))
        .singleElement()
        .asString()
        .startsWith("update_version ");
  }

  private void forgetVersions() {
    for (String path : fixture().paths("commits/")) {
      if (path.endsWith("manifest.json")) {
        fixture()
            .edit(
                path,
                json ->
                    json.path("files").forEach(f -> ((ObjectNode) f).remove("schema_version_id")));
      }
    }
  }

  @Test
  default void d11_aBranchOfCommitsThatSayNoVersionHasTheirTypes() {
    foreign();
    forgetVersions();
    Ledger ledger = fixture().open();
    ledger.branches().createAt(BranchContract.DEV, 1);
    ledger.schemas().migrate(USER_2, doubling(), Approval.Force.FORCE, Map.of());
    ledger.flush();
    BranchName later = new BranchName("later");
    ledger.branches().createAt(later, 3);

    for (BranchName branch : List.of(BranchContract.DEV, later)) {
      Ledger old = fixture().open(branch);
      assertThat(old.schemas().history(USER)).extracting(v -> v.id()).containsExactly(1L);
      assertThat(rows(old)).isEqualTo(1);
      try (Session session = old.session(USER_1)) {
        assertThat(session.ensure(USER, user("u2", 1)).commit()).isPresent();
      }
      assertThat(rows(old)).isEqualTo(2);
    }
  }

  @Test
  default void d11_aBranchFromBeforeTheOtherDroppedATypeIsRefusedAndOneFromAfterIsnt() {
    ForeignLedger foreign = foreign();
    foreign.drop("User");
    foreign.register(USER_2.get(0));
    foreign.commit("User", Map.of("new", "{\"id\":\"new\",\"m\":1}"));
    Ledger ledger = fixture().open();

    assertThatThrownBy(() -> ledger.branches().createAt(BranchContract.DEV, 3))
        .isInstanceOf(BranchRefusedException.class)
        .hasMessageContaining("entity:User had at commit 3 isn't known any more");
    ledger.branches().createAt(BranchContract.DEV, 5);
    Ledger dev = fixture().open(BranchContract.DEV);
    assertThat(dev.schemas().current(USER).orElseThrow().id()).isEqualTo(1);
    assertThat(rows(dev)).isEqualTo(1);
  }
}
