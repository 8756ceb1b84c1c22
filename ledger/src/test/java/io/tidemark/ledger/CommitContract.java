// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Employment;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.Models.Subscription;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.RequestCounts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cases B: what a commit writes, returns and leaves alone. */
interface CommitContract {

  LedgerFixture fixture();

  String C1_AT_30 =
      "{\"active\":true,\"age\":30,\"email\":null,\"id\":\"c1\",\"name\":\"Name of c1\","
          + "\"tier\":\"Standard\"}";

  private static Session session(Ledger ledger) {
    return ledger.session(Models.all());
  }

  @Test
  default void b1_theFirstCommitHasNoParentAndOneFile() {
    Ledger ledger = fixture().init();
    try (Session session = session(ledger)) {
      Commit commit = session.ensure(Customer.of("c1", 30)).commit().orElseThrow();

      assertThat(commit.id()).isEqualTo(1);
      assertThat(commit.operations()).isEqualTo(1);
    }
    ObjectNode head = fixture().json("meta/head.json");
    assertThat(head.path("commit_id").asLong()).isEqualTo(1);
    assertThat(head.path("runtime_id").asText()).isEqualTo("test");
    String path = fixture().newestManifest();
    assertThat(path).matches("commits/1-[0-9a-f]{8}/manifest\\.json");
    ObjectNode manifest = fixture().manifest();
    String data = path.replace("manifest.json", "entities/Customer.parquet");
    assertThat(manifest.path("commit_id").asLong()).isEqualTo(1);
    assertThat(manifest.get("parent_commit_id").isNull()).isTrue();
    assertThat(manifest.get("parent_manifest_path").isNull()).isTrue();
    assertThat(manifest.path("runtime_id").asText()).isEqualTo("test");
    assertThat(UtcTimestamp.parse(manifest.path("created_at").asText())).isPresent();
    assertThat(manifest.path("metadata"))
        .isEqualTo(LedgerFixture.parse("{\"namespace\":\"default\"}"));
    assertThat(manifest.path("files"))
        .containsExactly(
            CanonicalJson.object()
                .put("kind", "entity")
                .put("type_name", "Customer")
                .put("path", data)
                .put("row_count", 1)
                .put("schema_version_id", 1)
                .put("content_sha256", LedgerFixture.sha256(fixture().bytes(data)))
                .put("size_bytes", fixture().bytes(data).length)
                .put("previous_commit_id", 0));
    assertThat(CanonicalJson.write(manifest)).isEqualTo(fixture().text(path));
    assertThat(fixture().rows(TypeKind.ENTITY, data))
        .containsExactly(new Row(1, new EntityKey("c1"), 1, C1_AT_30));
  }

  @Test
  default void b1_anotherReaderFindsTheColumnsOfTheSeed() {
    try (Session session = session(fixture().init())) {
      session.ensure(Customer.of("c1", 30)).commit();
    }
    String data = fixture().manifest().path("files").path(0).path("path").asText();

    assertThat(fixture().duckDb(data, "SELECT column_name FROM (DESCRIBE SELECT * FROM file)"))
        .containsExactly(
            "commit_id",
            "entity_type",
            "entity_key",
            "schema_version_id",
            "fields_json",
            "active",
            "age",
            "email",
            "id",
            "name",
            "tier");
    assertThat(fixture().duckDb(data, "SELECT * FROM file"))
        .containsExactly("1|Customer|c1|1|" + C1_AT_30 + "|true|30|null|c1|Name of c1|Standard");
  }

  @Test
  default void b2_whatIsTrueAlreadyIsNoCommit() {
    Ledger ledger = fixture().init();
    try (Session session = session(ledger)) {
      session.ensure(Customer.of("c1", 30)).commit();
      ledger.flush();
      List<String> before = fixture().paths("commits/");
      String head = fixture().text("meta/head.json");

      assertThat(session.ensure(Customer.of("c1", 30)).commit()).isEmpty();
      assertThat(session.queued()).isZero();
      assertThat(fixture().paths("commits/")).isEqualTo(before);
      assertThat(fixture().text("meta/head.json")).isEqualTo(head);
    }
    try (Session another = session(fixture().open())) {
      assertThat(another.ensure(Customer.of("c1", 30)).commit()).isEmpty();
    }
  }

  @Test
  default void b3_aChangedFieldIsANewVersion() {
    Ledger ledger = fixture().init();
    try (Session session = session(ledger)) {
      session.ensure(Customer.of("c1", 30)).ensure(Customer.of("c2", 1)).commit();
      String first = fixture().newestManifest();

      assertThat(session.ensure(Customer.of("c1", 31)).commit().orElseThrow().id()).isEqualTo(2);

      ObjectNode manifest = fixture().manifest();
      assertThat(manifest.path("parent_commit_id").asLong()).isEqualTo(1);
      assertThat(manifest.path("parent_manifest_path").asText()).isEqualTo(first);
      JsonNode file = manifest.path("files").path(0);
      assertThat(file.path("previous_commit_id").asLong()).isEqualTo(1);
      assertThat(fixture().rows(TypeKind.ENTITY, file.path("path").asText()))
          .containsExactly(new Row(2, new EntityKey("c1"), 1, C1_AT_30.replace(":30,", ":31,")));
    }
    assertThat(LedgerFixture.told(ledger, 2))
        .containsExactly(
            "update_version entity:Customer c1 "
                + C1_AT_30
                + " -> "
                + C1_AT_30.replace(":30,", ":31,"));
  }

  @Test
  default void b4_committingNothingCostsNothing() {
    Ledger ledger = fixture().init();
    try (Session session = session(ledger)) {
      session.validate();
      RequestCounts requestCounts =
          fixture().counting().during(() -> assertThat(session.commit()).isEmpty());

      assertThat(requestCounts.total()).isZero();
    }
  }

  @Test
  default void b6_threeTypesAreOneCommitOfThreeFiles() {
    Ledger ledger = fixture().init();
    try (Session session = session(ledger)) {
      session.ensure(List.of(Customer.of("c1", 30), Product.of("p1")));
      session.ensure(Subscription.of("c1", "p1", 5));

      Commit commit = session.commit().orElseThrow();

      assertThat(commit.id()).isEqualTo(1);
      assertThat(commit.files())
          .extracting(file -> file.type().toString())
          .containsExactly("entity:Customer", "entity:Product", "relation:Subscription");
    }
    JsonNode file = fixture().manifest().path("files").path(2);
    assertThat(file.path("path").asText()).endsWith("/relations/Subscription.parquet");
    assertThat(fixture().duckDb(file.path("path").asText(), "SELECT * FROM file"))
        .containsExactly(
            "1|Subscription|c1|p1||1|"
                + "{\"active\":true,\"seat_count\":5,\"started_at\":\"2026-01-01\"}"
                + "|true|5|2026-01-01");
    assertThat(LedgerFixture.told(ledger, 1))
        .hasSize(3)
        .allMatch(told -> told.startsWith("insert"));
  }

  @Test
  default void b7_relationsOfTheSameEndsAreToldApartByTheirInstanceKey() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(RecordType.of(Employment.class))) {
      session.ensure(new Employment("p1", "c1", "stint-1", "eng", "2020"));
      session.ensure(new Employment("p1", "c1", "stint-2", "mgr", "2023"));
      assertThat(session.commit().orElseThrow().operations()).isEqualTo(2);
      session.ensure(new Employment("p1", "c1", "stint-2", "cto", "2023"));
      assertThat(session.commit().orElseThrow().operations()).isEqualTo(1);
    }
    assertThat(LedgerFixture.changes(ledger, 1))
        .extracting(IdentityChange::identity)
        .containsExactly(
            new RelationKey("p1", "c1", "stint-1"), new RelationKey("p1", "c1", "stint-2"));
    assertThat(LedgerFixture.told(ledger, 2))
        .containsExactly(
            "update_version relation:Employment (p1, c1, stint-2)"
                + " {\"role\":\"mgr\",\"started_at\":\"2023\"} ->"
                + " {\"role\":\"cto\",\"started_at\":\"2023\"}");
  }

  @Test
  default void b12_tooMuchAtOnceIsRefusedAndStaysQueued() {
    fixture().initialiser().init();
    Ledger ledger = fixture().open(LedgerFixture.options().withMaxBatchSize(1));
    try (Session session = session(ledger)) {
      session.ensure(Customer.of("c1", 30)).ensure(Customer.of("c2", 30));

      assertThatThrownBy(session::commit)
          .isInstanceOf(BatchSizeExceededException.class)
          .hasMessage(
              "2 assertions are queued and one commit takes 1; commit in smaller parts, or raise"
                  + " maxBatchSize");
      assertThat(session.queued()).isEqualTo(2);
    }
    assertThat(fixture().paths("meta/locks/")).isEmpty();
    assertThat(ledger.log().head()).isEmpty();
  }

  @Test
  default void b13_workThatFailsCommitsNothing() {
    Ledger ledger = fixture().init();
    List<TypeSchema> types = List.of(RecordType.of(Customer.class).schema());

    assertThatThrownBy(
            () ->
                ledger.write(
                    types,
                    Map.of(),
                    session -> {
                      session.ensure(Customer.of("c1", 30));
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(ledger.log().head()).isEmpty();

    Optional<Commit> committed =
        ledger.write(types, Map.of(), session -> session.ensure(Customer.of("c1", 30)));
    assertThat(committed.map(Commit::id)).contains(1L);
  }

  @Test
  default void b16_metadataIsKeptBesideTheNamespace() {
    fixture().initialiser().init();
    Ledger ledger = fixture().open(LedgerFixture.options().withNamespace("ns"));
    try (Session session = session(ledger)) {
      session.ensure(Customer.of("c1", 30)).commit(Map.of("a", "2"));
    }
    assertThat(fixture().manifest().path("metadata"))
        .isEqualTo(LedgerFixture.parse("{\"namespace\":\"ns\",\"a\":\"2\"}"));
    assertThat(ledger.log().get(1).orElseThrow().metadata().path("a").asText()).isEqualTo("2");
  }

  @Test
  default void b17_twoHundredIntentsCostAsManyRequestsAsOne() {
    Ledger first = fixture().init();
    for (int i = 0; i < 3; i++) {
      try (Session session = session(first)) {
        session.ensure(Customer.of("c" + i, i)).commit();
      }
    }
    first.close();

    Ledger ledger = fixture().open();
    try (Session session = session(ledger)) {
      session.ensure(IntStream.range(0, 200).mapToObj(i -> Customer.of("n" + i, i)).toList());
      RequestCounts requestCounts =
          fixture().counting().during(() -> assertThat(session.commit()).isPresent());

      assertThat(requestCounts.total()).isLessThanOrEqualTo(20);
    }
  }
}
