// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.InvalidTokenException;
import io.tidemark.ledger.internal.catalog.MigrationException;
import io.tidemark.ledger.internal.catalog.MigrationPlan;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Cases I: how types enter a ledger, are compared and change. */
interface SchemaContract {

  LedgerFixture fixture();

  TypeId USER = TypeId.entity("User");
  String VERSIONS = "meta/schema/versions/entity/User.json";

  List<TypeSchema> USER_1 =
      DeclaredSchema.parse(
          "{\"entity\":\"User\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"n\":\"long\"}}");
  List<TypeSchema> USER_2 =
      DeclaredSchema.parse(
          "{\"entity\":\"User\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"n\":\"long\","
              + "\"email\":\"string?\"}}");

  /** Doubles n, so that one sees how often a row went through it. */
  static Upgraders doubling() {
    return Upgraders.none()
        .with(USER, 1, user -> user.put("n", user.path("n").asLong() * 2).put("email", "a@b.c"));
  }

  static ObjectNode user(String id, long n) {
    return CanonicalJson.object().put("id", id).put("n", n);
  }

  /** A ledger with two users in one commit. */
  static Ledger twoUsers(LedgerFixture fixture) {
    Ledger ledger = fixture.init();
    try (Session session = ledger.session(USER_1)) {
      session.ensure(USER, user("u1", 10)).ensure(USER, user("u2", 20)).commit();
    }
    return ledger;
  }

  @Test
  default void i1_aNewTypeEntersAsVersionOne() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(Models.all())) {
      session.validate();
    }
    StoredSchema schema = StoredSchema.of(RecordType.of(Customer.class).schema());
    ObjectNode versions = fixture().json("meta/schema/versions/entity/Customer.json");
    assertThat(versions.path("type_kind").asText()).isEqualTo("entity");
    assertThat(versions.path("type_name").asText()).isEqualTo("Customer");
    assertThat(versions.path("versions")).hasSize(1);
    JsonNode version = versions.path("versions").path(0);
    assertThat(version.path("schema_version_id").asLong()).isEqualTo(1);
    assertThat(version.path("reason").asText()).isEqualTo("initial");
    assertThat(version.path("runtime_id").asText()).isEqualTo("test");
    assertThat(version.path("schema_json").textValue()).isEqualTo(schema.json());
    assertThat(version.path("schema_hash").asText()).isEqualTo(schema.hash());
    ObjectNode types = fixture().json("meta/schema/types.json");
    assertThat(types.path("entities"))
        .extracting(JsonNode::asText)
        .containsExactly("Customer", "Product");
    assertThat(types.path("relations"))
        .extracting(JsonNode::asText)
        .containsExactly("Subscription");
    assertThat(fixture().json("meta/schema/registry.json").path("entity").path("Customer"))
        .isEqualTo(LedgerFixture.parse(schema.json()));
    assertThat(ledger.log().head()).isEmpty();
  }

  @Test
  default void i2_anAddedFieldIsReportedAsADiff() {
    Ledger ledger = twoUsers(fixture());
    try (Session session = ledger.session(USER_2)) {
      assertThatThrownBy(session::validate)
          .isInstanceOfSatisfying(
              SchemaOutdatedException.class,
              e -> {
                SchemaDiff diff = e.diffs().get(0);
                assertThat(e.diffs()).hasSize(1);
                assertThat(diff.type()).isEqualTo(USER);
                assertThat(diff.storedVersion()).isEqualTo(1);
                assertThat(diff.added()).containsExactly("email");
                assertThat(diff.removed()).isEmpty();
                assertThat(diff.changed()).isEmpty();
              })
          .hasMessageContaining("entity:User v1: added email")
          .hasMessageContaining("migrate");
      session.ensure(USER, user("u3", 1));
      assertThatThrownBy(session::commit).isInstanceOf(SchemaOutdatedException.class);
      assertThat(session.queued()).isEqualTo(1);
    }
    assertThat(ledger.log().head()).contains(1L);
  }

  @Test
  default void i3_aWriterThatMissedAMigrationIsStoppedAtThatTypeOnly() {
    Ledger stale = twoUsers(fixture());
    try (Session users = stale.session(USER_1);
        Session products = stale.session(RecordType.of(Product.class))) {
      users.validate();
      products.ensure(Product.of("p1")).commit();
      Ledger other = fixture().open();
      other.schemas().migrate(USER_2, doubling(), Approval.Force.FORCE, Map.of());
      other.close();

      users.ensure(USER, user("u1", 11));
      assertThatThrownBy(users::commit)
          .isInstanceOf(SchemaOutdatedException.class)
          .hasMessageContaining("entity:User v2: removed email");
      assertThat(users.queued()).isEqualTo(1);
      assertThat(products.ensure(Product.of("p2")).commit().orElseThrow().id()).isEqualTo(4);
    }
  }

  @Test
  default void i4_aMigrationRewritesEveryRowInOneCommit() {
    Ledger ledger = twoUsers(fixture());
    MigrationPlan bare = ledger.schemas().planMigration(USER_2, Upgraders.none());
    assertThat(bare.token().text()).isNotEmpty();
    assertThat(bare.estimatedRows()).isEqualTo(Map.of(USER, 2L));
    assertThat(bare.requiringUpgraders()).containsExactly(USER);
    assertThat(bare.missingUpgraders()).containsExactly(USER);
    MigrationPlan plan = ledger.schemas().planMigration(USER_2, doubling());
    assertThat(plan.missingUpgraders()).isEmpty();
    assertThat(plan.token()).isEqualTo(bare.token());

    CommittedManifest commit =
        ledger
            .schemas()
            .migrate(
                USER_2, doubling(), new Approval.ByToken(plan.token().text()), Map.of("k", "v"))
            .orElseThrow();

    assertThat(commit.manifest().commitId()).isEqualTo(2);
    assertThat(fixture().manifest().path("metadata"))
        .isEqualTo(
            LedgerFixture.parse(
                "{\"k\":\"v\",\"kind\":\"migration\",\"migrated_types\":[{"
                    + "\"type_kind\":\"entity\",\"type_name\":\"User\",\"rows_rewritten\":2,"
                    + "\"from_schema_version_id\":1,\"to_schema_version_id\":2}]}"));
    assertThat(LedgerFixture.told(ledger, 2))
        .containsExactly(
            "update_version entity:User u1 {\"id\":\"u1\",\"n\":10} ->"
                + " {\"email\":\"a@b.c\",\"id\":\"u1\",\"n\":20}",
            "update_version entity:User u2 {\"id\":\"u2\",\"n\":20} ->"
                + " {\"email\":\"a@b.c\",\"id\":\"u2\",\"n\":40}");
    assertThat(ledger.schemas().history(USER))
        .extracting(SchemaVersion::id, SchemaVersion::reason)
        .containsExactly(tuple(1L, "initial"), tuple(2L, "migration"));
    assertThat(fixture().json(VERSIONS).path("versions")).hasSize(2);
    assertThat(ledger.schemas().migrate(USER_2, doubling(), Approval.Force.FORCE, Map.of()))
        .isEmpty();
  }

  @Test
  default void i5_aTokenIsOfItsMomentOnly() {
    Ledger ledger = twoUsers(fixture());
    MigrationPlan plan = ledger.schemas().planMigration(USER_2, doubling());
    try (Session session = ledger.session(USER_1)) {
      session.ensure(USER, user("u3", 1)).commit();
    }
    String head = fixture().text("meta/head.json");

    assertThatThrownBy(
            () ->
                ledger
                    .schemas()
                    .migrate(
                        USER_2, doubling(), new Approval.ByToken(plan.token().text()), Map.of()))
        .isInstanceOf(InvalidTokenException.class)
        .hasMessageContaining(plan.token().text());
    assertThat(fixture().text("meta/head.json")).isEqualTo(head);
    assertThat(ledger.schemas().history(USER)).hasSize(1);
  }

  @Test
  default void i6_aBadUpgraderIsNamedWithTypeAndKeyAndChangesNothing() {
    Ledger ledger = twoUsers(fixture());
    String head = fixture().text("meta/head.json");
    Upgraders bad = Upgraders.none().with(USER, 1, user -> user.put("email", 5));
    Upgraders failing =
        Upgraders.none()
            .with(
                USER,
                1,
                user -> {
                  throw new IllegalStateException("no");
                });
    Upgraders renaming = Upgraders.none().with(USER, 1, user -> user.put("id", "other"));

    for (Upgraders upgraders : List.of(bad, failing, renaming, Upgraders.none())) {
      assertThatThrownBy(
              () -> ledger.schemas().migrate(USER_2, upgraders, Approval.Force.FORCE, Map.of()))
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining("entity:User");
    }
    assertThatThrownBy(() -> ledger.schemas().migrate(USER_2, bad, Approval.Force.FORCE, Map.of()))
        .hasMessageContaining("entity:User u1")
        .hasMessageContaining("email")
        .hasMessageContaining("{\"id\":\"u1\",\"n\":10}");
    assertThat(fixture().text("meta/head.json")).isEqualTo(head);
  }

  @Test
  default void i7_aTypeWithoutRowsChangesItsSchemaOnly() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(USER_1)) {
      session.validate();
    }
    MigrationPlan plan = ledger.schemas().planMigration(USER_2, Upgraders.none());
    assertThat(plan.schemaOnly()).containsExactly(USER);
    assertThat(plan.missingUpgraders()).isEmpty();

    ledger.schemas().migrate(USER_2, Upgraders.none(), Approval.Force.FORCE, Map.of());

    assertThat(fixture().manifest().path("files")).isEmpty();
    assertThat(ledger.schemas().current(USER).orElseThrow().id()).isEqualTo(2);
    try (Session session = fixture().open().session(USER_2)) {
      session.ensure(USER, user("u1", 1).put("email", "e")).commit();
    }
    assertThat(fixture().manifest().path("files").path(0).path("schema_version_id").asLong())
        .isEqualTo(2);
  }
}
