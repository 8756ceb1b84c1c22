// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.SchemaContract.USER;
import static io.tidemark.ledger.SchemaContract.USER_1;
import static io.tidemark.ledger.SchemaContract.USER_2;
import static io.tidemark.ledger.SchemaContract.VERSIONS;
import static io.tidemark.ledger.SchemaContract.doubling;
import static io.tidemark.ledger.SchemaContract.twoUsers;
import static io.tidemark.ledger.SchemaContract.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.DropPlan.History;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** F5 and its like: a writer that dies between the head and the documents that follow it. */
interface CatalogFollowUpContract {

  LedgerFixture fixture();

  /** Does something, and puts back every document but the head: as if the writer had died then. */
  private void dyingAfterTheHead(Runnable work) {
    Map<String, byte[]> before = new TreeMap<>();
    fixture().paths("meta/schema/").forEach(path -> before.put(path, fixture().bytes(path)));
    fixture().paths("meta/indices/").forEach(path -> before.put(path, fixture().bytes(path)));
    work.run();
    for (String path : fixture().paths("meta/")) {
      boolean follows = path.startsWith("meta/schema/") || path.startsWith("meta/indices/");
      if (follows && !before.containsKey(path)) {
        fixture().delete(path);
      }
    }
    before.forEach((path, bytes) -> fixture().write(path, bytes));
  }

  private void migrate() {
    Ledger ledger = fixture().open();
    ledger.schemas().migrate(USER_2, doubling(), Approval.Force.FORCE, Map.of());
    ledger.close();
  }

  private void drop() {
    Ledger ledger = fixture().open();
    DropRequest request =
        new DropRequest(USER, Set.of(), DropRequest.Dependents.REFUSE, History.PURGE);
    ledger.schemas().drop(request, Approval.Force.FORCE, Map.of());
    ledger.close();
  }

  @Test
  default void f5_noUpgraderSeesARowTwice() {
    twoUsers(fixture()).close();
    dyingAfterTheHead(this::migrate);
    assertThat(fixture().json(VERSIONS).path("versions")).hasSize(1);

    Ledger ledger = fixture().open();
    assertThat(ledger.schemas().history(USER))
        .extracting(SchemaVersion::id)
        .containsExactly(1L, 2L);
    assertThat(ledger.schemas().planMigration(USER_2, doubling()).diffs()).isEmpty();
    assertThat(ledger.schemas().migrate(USER_2, doubling(), Approval.Force.FORCE, Map.of()))
        .isEmpty();
    assertThat(ledger.log().head()).contains(2L);
    try (Session session = ledger.session(USER_2)) {
      session.ensure(USER, user("u1", 20).put("email", "a@b.c"));
      assertThat(session.commit()).isEmpty();
    }
  }

  @Test
  default void f5_whoWritesNextMakesTheDocumentsGood() {
    twoUsers(fixture()).close();
    dyingAfterTheHead(this::migrate);

    try (Session session = fixture().open().session(USER_2)) {
      session.ensure(USER, user("u3", 1).put("email", "e"));
      assertThat(session.commit().orElseThrow().id()).isEqualTo(3);
    }

    assertThat(fixture().manifest().path("files").path(0).path("schema_version_id").asLong())
        .isEqualTo(2);
    assertThat(fixture().json(VERSIONS).path("versions"))
        .extracting(version -> version.path("schema_version_id").asLong())
        .containsExactly(1L, 2L);
    assertThat(fixture().text("meta/schema/registry.json")).contains("email");
  }

  @Test
  default void aRowThatWasAllowedIsMigratedWhateverItsLength() {
    fixture().initialiser().init();
    Ledger ledger = fixture().open(LedgerFixture.options().withMaxRowBytes(16 << 20));
    String id = "x".repeat(9_000_000);
    try (Session session = ledger.session(USER_1)) {
      session.ensure(USER, user(id, 1)).commit();
    }

    ledger.schemas().migrate(USER_2, doubling(), Approval.Force.FORCE, Map.of());

    assertThat(fixture().manifest().path("files").path(0).path("row_count").asLong()).isEqualTo(1);
  }

  @Test
  default void f5_theOldSchemaIsOutdatedWhateverTheDocumentsSay() {
    twoUsers(fixture()).close();
    dyingAfterTheHead(this::migrate);

    try (Session session = fixture().open().session(USER_1)) {
      session.ensure(USER, user("u3", 1));
      assertThatThrownBy(session::commit)
          .isInstanceOf(SchemaOutdatedException.class)
          .hasMessageContaining("entity:User v2: removed email");
    }
  }

  @Test
  default void f4_aDropCountsWhateverTheDocumentsSay() {
    twoUsers(fixture()).close();
    dyingAfterTheHead(this::drop);
    assertThat(fixture().text("meta/schema/types.json")).contains("User");

    Ledger ledger = fixture().open();
    assertThat(ledger.schemas().current()).isEmpty();
    assertThat(ledger.schemas().current(USER)).isEmpty();
    assertThat(ledger.indices().verify(Depth.NEWEST).ok()).isTrue();
    ledger.indices().repair(Depth.EVERY_COMMIT);
    assertThat(fixture().json("meta/indices/entities/User.json").path("entries")).isEmpty();
    try (Session session = ledger.session(USER_1)) {
      session.ensure(USER, user("u1", 10));
      assertThat(session.commit().orElseThrow().operations()).isEqualTo(1);
    }
    assertThat(ledger.schemas().current(USER).orElseThrow().id()).isEqualTo(2);
    assertThat(fixture().json(VERSIONS).path("versions"))
        .extracting(version -> version.path("schema_version_id").asLong())
        .containsExactly(2L);
  }

  @Test
  default void aRepairListsATypeNoMoreWhoseDropWasntFollowed_f4() {
    twoUsers(fixture()).close();
    dyingAfterTheHead(this::drop);

    Ledger ledger = fixture().open();
    ledger.indices().repair(Depth.NEWEST);

    assertThat(fixture().json("meta/schema/types.json").path("entities")).isEmpty();
    assertThat(fixture().json("meta/schema/registry.json").path("entity")).isEmpty();
    assertThat(fixture().json(VERSIONS).path("versions")).isEmpty();
    JsonNode dropped = fixture().json("meta/schema/dropped.json").path("entity").path("User");
    assertThat(dropped.path("commit_id").asLong()).isEqualTo(2);
    // Whoever declares it again isn't undone by the next repair.
    try (Session session = ledger.session(USER_1)) {
      session.ensure(USER, user("u1", 10)).commit();
    }
    ledger.indices().repair(Depth.NEWEST);
    assertThat(ledger.schemas().current(USER).orElseThrow().id()).isEqualTo(2);
    assertThat(fixture().json("meta/schema/types.json").path("entities")).hasSize(1);
  }

  @Test
  default void g11_anIndexThatLagsIsNotMissedAndHealedByTheNextCommit() {
    Ledger first = twoUsers(fixture());
    first.flush();
    first.close();
    dyingAfterTheHead(
        () -> {
          Ledger ledger = fixture().open();
          try (Session session = ledger.session(USER_1)) {
            session.ensure(USER, user("u1", 11)).commit();
          }
          ledger.close();
        });
    Ledger ledger = fixture().open();
    assertThat(ledger.indices().verify(Depth.NEWEST).lagged()).containsExactly(USER);
    try (Session session = ledger.session(USER_1)) {
      assertThat(session.ensure(USER, user("u1", 11)).commit()).isEmpty();
      session.ensure(USER, user("u1", 12)).commit();
    }
    ledger.flush();

    JsonNode index = fixture().json("meta/indices/entities/User.json");
    assertThat(index.path("max_indexed_commit").asLong()).isEqualTo(3);
    assertThat(index.path("entries"))
        .extracting(entry -> entry.path("min_commit_id").asLong())
        .containsExactly(1L, 2L, 3L);
    assertThat(LedgerFixture.told(ledger, 3))
        .isEqualTo(
            List.of(
                "update_version entity:User u1 {\"id\":\"u1\",\"n\":11} -> {\"id\":\"u1\",\"n\":12}"));
  }
}
