// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as a change, and that every value that is allowed comes back as it was. */
interface ChangeDetectionContract {

  LedgerFixture fixture();

  TypeId THING = TypeId.entity("Thing");

  private Session things(Ledger ledger, String fields) {
    return ledger.session(
        DeclaredSchema.parse("{\"entity\":\"Thing\",\"key\":\"id\",\"fields\":" + fields + "}"));
  }

  private static ObjectNode object(String json) {
    return (ObjectNode) LedgerFixture.parse(json);
  }

  private static String written(Ledger ledger, long commitId) {
    return LedgerFixture.changes(ledger, commitId).get(0).after().fieldsJson();
  }

  /** What was written first is what is there; a second assertion may or may not change it. */
  private boolean changes(String type, String first, String second) {
    Ledger ledger = fixture().init();
    try (Session session = things(ledger, "{\"id\":\"string\",\"f\":\"" + type + "\"}")) {
      session.ensure(THING, object("{\"id\":\"t\",\"f\":" + first + "}")).commit();
      return session
          .ensure(THING, object("{\"id\":\"t\",\"f\":" + second + "}"))
          .commit()
          .isPresent();
    }
  }

  @Test
  default void numbersAreComparedByValue() {
    assertThat(changes("double", "1", "1.0")).isFalse();
  }

  @Test
  default void numbersWithinListsAreComparedByValueToo() {
    assertThat(changes("any", "[1,{\"a\":2}]", "[1.0,{\"a\":2.00}]")).isFalse();
  }

  @Test
  default void aBooleanIsNoNumber() {
    assertThat(changes("any", "1", "true")).isTrue();
  }

  @Test
  default void textIsNoNumber() {
    assertThat(changes("any", "1", "\"1\"")).isTrue();
  }

  @Test
  default void nullInAMapIsMoreThanNothing() {
    assertThat(changes("any", "{\"a\":null}", "{}")).isTrue();
  }

  @Test
  default void theOrderOfKeysIsNothing() {
    assertThat(changes("any", "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}")).isFalse();
  }

  @Test
  default void ofTwoIntentsForOneIdentityTheLastCounts() {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(List.of(Customer.of("c1", 1), Customer.of("c1", 2)));
      assertThat(session.commit().orElseThrow().operations()).isEqualTo(1);
      session.ensure(List.of(Customer.of("c1", 3), Customer.of("c1", 2)));
      assertThat(session.commit()).isEmpty();
    }
    assertThat(written(ledger, 1)).contains("\"age\":2,");
  }

  @Test
  default void b9_aNumberAsKeyIsStoredAsText() {
    Ledger ledger = fixture().init();
    try (Session session = things(ledger, "{\"id\":\"long\",\"f\":\"string?\"}")) {
      session.ensure(THING, object("{\"id\":5}")).commit();
    }
    assertThat(LedgerFixture.changes(ledger, 1).get(0).after())
        .isEqualTo(new Row(1, new EntityKey("5"), 1, "{\"f\":null,\"id\":5}"));
  }

  /** An entity with a key and a text. */
  @Entity
  record Note(@Key String id, String text) {}

  @Test
  default void b14_everyCharacterComesBack() {
    String key = "é😀'\"/\\";
    String text = "a\n\u2028\u0000\uFFFF";
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(RecordType.of(Note.class))) {
      session.ensure(new Note(key, text)).commit();
      assertThat(session.ensure(new Note(key, text)).commit()).isEmpty();
    }
    Row row = LedgerFixture.changes(ledger, 1).get(0).after();
    assertThat(row.identity()).isEqualTo(new EntityKey(key));
    assertThat(row.fieldsJson()).isASCII();
    assertThat(RecordType.of(Note.class).value(row.identity(), row.fieldsJson()))
        .isEqualTo(new Note(key, text));
    String data = fixture().manifest().path("files").path(0).path("path").asText();
    assertThat(fixture().duckDb(data, "SELECT entity_key, text FROM file"))
        .containsExactly(key + "|" + text);
  }

  @Test
  default void f19_fieldsMayHaveTheNamesOfColumns() {
    Ledger ledger = fixture().init();
    String fields =
        "{\"id\":\"string\",\"commit_id\":\"long\",\"entity_key\":\"string\","
            + "\"fields_json\":\"string\",\"schema_version_id\":\"long\",\"ENTITY_TYPE\":\"long\"}";
    String payload =
        "{\"ENTITY_TYPE\":5,\"commit_id\":77,\"entity_key\":\"k\",\"fields_json\":\"{}\","
            + "\"id\":\"t\",\"schema_version_id\":9}";
    try (Session session = things(ledger, fields)) {
      session.ensure(THING, object(payload)).commit();
    }
    String data = fixture().manifest().path("files").path(0).path("path").asText();
    assertThat(fixture().rows(TypeKind.ENTITY, data))
        .containsExactly(new Row(1, new EntityKey("t"), 1, payload));
    assertThat(
            fixture()
                .duckDb(
                    data,
                    "SELECT commit_id, entity_type, entity_key, schema_version_id, fields_json"
                        + " FROM file"))
        .containsExactly("1|Thing|t|1|" + payload);
    try (Session again = things(fixture().open(), fields)) {
      assertThat(again.ensure(THING, object(payload)).commit()).isEmpty();
    }
  }

  @Test
  default void f20_valuesOfNoFixedShapeAreStoredToo() {
    Ledger ledger = fixture().init();
    String fields =
        "{\"id\":\"string\",\"a\":\"any\",\"b\":\"any\",\"c\":\"any\",\"d\":\"any\",\"m\":{\"*\":\"any\"}}";
    String one =
        "{\"a\":{},\"b\":{\"a\":{}},\"c\":[1,\"x\"],\"d\":123456789012345678901234567890,"
            + "\"id\":\"t1\",\"m\":{}}";
    String two =
        "{\"a\":1,\"b\":\"x\",\"c\":{\"k\":[]},\"d\":null,\"id\":\"t2\",\"m\":{\"a\":[true]}}";
    try (Session session = things(ledger, fields)) {
      session.ensure(THING, object(one)).ensure(THING, object(two));
      assertThat(session.commit().orElseThrow().operations()).isEqualTo(2);
    }
    assertThat(LedgerFixture.changes(ledger, 1))
        .extracting(identityChange -> identityChange.after().fieldsJson())
        .containsExactly(one, two);
    try (Session again = things(fixture().open(), fields)) {
      assertThat(again.ensure(THING, object(one)).ensure(THING, object(two)).commit()).isEmpty();
    }
  }

  @Test
  default void f33_anEntityAndARelationMayShareAName() {
    Ledger ledger = fixture().init();
    List<TypeSchema> types =
        DeclaredSchema.parse(
            "[{\"entity\":\"Link\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"n\":\"long\"}},"
                + "{\"relation\":\"Link\",\"left\":\"Link\",\"right\":\"Link\",\"fields\":{}}]");
    TypeId entity = TypeId.entity("Link");
    TypeId relation = TypeId.relation("Link");
    try (Session session = ledger.session(types)) {
      session.ensure(entity, object("{\"id\":\"a\",\"n\":1}"));
      session.ensure(relation, new RelationKey("a", "a", ""), object("{}"));
      assertThat(session.commit().orElseThrow().files()).hasSize(2);
      session.ensure(entity, object("{\"id\":\"a\",\"n\":2}"));
      assertThat(session.commit().orElseThrow().files()).hasSize(1);
      session.ensure(relation, new RelationKey("a", "a", ""), object("{}"));
      assertThat(session.commit()).isEmpty();
    }
    ledger.flush();
    assertThat(fixture().json("meta/indices/entities/Link.json").path("entries")).hasSize(2);
    assertThat(fixture().json("meta/indices/relations/Link.json").path("entries")).hasSize(1);
    assertThat(ledger.schemas().current().keySet()).containsExactly(entity, relation);
  }
}
