// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Section 1.5 of the specification: lines of exports and imports. */
class JsonFactCodecTest {

  private static final TypeSchema NUMBERED =
      Schemas.entity("N", "id", Map.of("id", Field.of(Scalar.LONG)));
  private static final JsonFactCodec FACTS =
      JsonFactCodec.of(
          Stream.of(Schemas.PERSON, Schemas.SUBSCRIPTION, Schemas.EMPLOYMENT, NUMBERED)
              .map(ValueCheck::of)
              .toList());

  @Test
  void anExportedRowIsImportedAsItself() throws IOException {
    Row person = new Row(3, new EntityKey("p\u00e9"), 1, "{\"id\":\"p\\u00e9\",\"name\":\"Ann\"}");
    String line = JsonFactCodec.write(TypeId.entity("Person"), person);
    assertThat(line)
        .isEqualTo(
            "{\"fields\":{\"id\":\"p\\u00e9\",\"name\":\"Ann\"},\"key\":\"p\\u00e9\","
                + "\"type_kind\":\"entity\",\"type_name\":\"Person\"}");
    Fact fact = new Fact(TypeId.entity("Person"), person.identity(), person.fieldsJson());
    assertThat(FACTS.parse(line)).isEqualTo(fact);
    assertThat(FACTS.parse(line, TypeId.entity("Person"))).isEqualTo(fact);
    assertThat(FACTS.parse(CanonicalJson.parse(line))).isEqualTo(fact);
    assertThat(FACTS.parse(CanonicalJson.parse(line), TypeId.entity("Person"))).isEqualTo(fact);
    String withCommit = JsonFactCodec.writeWithCommit(TypeId.entity("Person"), person);
    assertThat(withCommit).startsWith("{\"commit_id\":3,\"fields\":");
    assertThat(FACTS.parse(withCommit)).isEqualTo(fact);
  }

  @Test
  void b7_anInstanceKeyIsBesideTheFields() {
    RelationKey key = new RelationKey("p1", "c1", "stint-1");
    Row row = new Row(1, key, 1, "{\"role\":\"eng\",\"started_at\":\"2020\"}");
    TypeId type = TypeId.relation("Employment");
    String line = JsonFactCodec.write(type, row);
    assertThat(line)
        .isEqualTo(
            "{\"fields\":{\"role\":\"eng\",\"started_at\":\"2020\"},\"instance_key\":\"stint-1\","
                + "\"left_key\":\"p1\",\"right_key\":\"c1\",\"type_kind\":\"relation\","
                + "\"type_name\":\"Employment\"}");
    Fact fact = new Fact(type, key, row.fieldsJson());
    assertThat(FACTS.parse(line)).isEqualTo(fact);
    for (String name : new String[] {"stint_id", "instance_key"}) {
      String plain =
          "{\"left_key\":\"p1\",\"right_key\":\"c1\",\""
              + name
              + "\":\"stint-1\",\"role\":\"eng\",\"started_at\":\"2020\"}";
      assertThat(FACTS.parse(plain, type)).isEqualTo(fact);
    }
    Row unkeyed = new Row(1, new RelationKey("c1", "p1", ""), 1, "{}");
    assertThat(JsonFactCodec.write(TypeId.relation("Subscription"), unkeyed))
        .doesNotContain("instance_key");
  }

  @Test
  void fieldsAloneAreEnoughWhenTheTypeIsKnown() {
    assertThat(FACTS.parse("{\"name\":\"Ann\",\"id\":\"p1\"}", TypeId.entity("Person")))
        .isEqualTo(
            new Fact(
                TypeId.entity("Person"), new EntityKey("p1"), "{\"id\":\"p1\",\"name\":\"Ann\"}"));
    assertThat(
            FACTS.parse(
                "{\"left_key\":5,\"right_key\":\"p1\",\"seat_count\":2,\"started_at\":\"\",\"active\":true}",
                TypeId.relation("Subscription")))
        .isEqualTo(
            new Fact(
                TypeId.relation("Subscription"),
                new RelationKey("5", "p1", ""),
                "{\"active\":true,\"seat_count\":2,\"started_at\":\"\"}"));
  }

  @Test
  void b9_theKeyOfALineMayBeTextOrTheNumberItself() {
    for (String key : new String[] {"5", "\"5\""}) {
      String line =
          "{\"type_kind\":\"entity\",\"type_name\":\"N\",\"key\":"
              + key
              + ",\"fields\":{\"id\":5}}";
      assertThat(FACTS.parse(line).identity()).isEqualTo(new EntityKey("5"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{; a line isn't JSON; in {",
        "[1]; a line is no JSON object: [1]; object",
        "{\"id\":\"p1\"}; doesn't say its type: give \"type_kind\"; \"entity\" or \"relation\"",
        "{\"type_kind\":\"entity\"}; doesn't say its type: give \"type_name\"; the name of the type",
        "{\"type_kind\":\"entity\",\"type_name\":\"Person\"}; entity:Person: a line has no \"fields\";"
            + " give {..}",
        "{\"type_kind\":\"entity\",\"type_name\":\"Person\",\"feilds\":{}}; has \"feilds\"; did you"
            + " mean fields?",
        "{\"type_kind\":\"entity\",\"type_name\":\"Person\",\"key\":\"x\",\"fields\":{\"id\":\"p1\","
            + "\"name\":\"Ann\"}}; entity:Person x: id is p1; make both the same",
        "{\"type_kind\":\"entity\",\"type_name\":\"Person\",\"key\":true,\"fields\":{\"id\":\"p1\","
            + "\"name\":\"Ann\"}}; key is true; a key is text or a whole number",
        "{\"type_kind\":\"relation\",\"type_name\":\"Subscription\",\"left_key\":\"c1\",\"fields\":{}};"
            + " has no \"right_key\", the key of the Product at its right end; it has type_kind,"
            + " type_name, left_key, fields",
        "{\"type_kind\":\"relation\",\"type_name\":\"Subscription\",\"left_key\":\"c1\","
            + "\"right_key\":\"p1\",\"active\":true}; has the field \"active\" beside; put the fields of"
            + " the row into \"fields\"",
        "{\"type_kind\":\"relation\",\"type_name\":\"Employment\",\"left_key\":\"c1\",\"right_key\":\"p\","
            + "\"fields\":{}}; the instance key stint_id is blank; give one",
        "{\"type_kind\":\"entity\",\"type_name\":\"N\",\"fields\":{\"id\":1,\"x\":NaN}}; isn't JSON; NaN"
      })
  void aLineThatIsNoFactIsRefused(String line, String problem, String remedy) {
    assertThatThrownBy(() -> FACTS.parse(line))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining(remedy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"left_key\":\"c1\",\"right_key\":\"p1\",\"fields\":{\"seats\":5}}; has \"fields\" but"
            + " doesn't say its type; without \"fields\"",
        "{\"left\":\"c1\",\"right\":\"p1\",\"seats\":5}; has no \"left_key\", the key of the"
            + " Customer at its left end; it has left, right, seats",
        "{}; has no \"left_key\"; it has nothing"
      })
  void aRelationInAnotherFormIsToldWhatIsWrongWithIt(String line, String problem, String remedy) {
    assertThatThrownBy(() -> FACTS.parse(line, TypeId.relation("Subscription")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("relation:Subscription: a line ")
        .hasMessageContaining(problem)
        .hasMessageContaining(remedy);
  }

  @Test
  void aTypeThatIsNotDeclaredIsNamedBesideTheNearest() {
    String line = "{\"type_kind\":\"entity\",\"type_name\":\"Persom\",\"fields\":{}}";
    assertThatThrownBy(() -> FACTS.parse(line))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining("there is no type entity:Persom; did you mean entity:Person?");
  }

  @Test
  void aLineOfAnotherTypeThanWantedIsRefused() {
    String line = "{\"type_kind\":\"entity\",\"type_name\":\"N\",\"fields\":{\"id\":5}}";
    assertThatThrownBy(() -> FACTS.parse(line, TypeId.entity("Person")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("a line is of entity:N, but entity:Person is wanted");
  }
}
