// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.Seed;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeclaredSchemaTest {

  private static final String CUSTOMER =
      """
      {"entity":"Customer","key":"id","fields":{
        "id":"string","name":"string","age":"long","active":"boolean",
        "email":{"type":"string?","index":true},"tier":{"type":"string","index":true}}}""";
  private static final String EMPLOYMENT =
      """
      {"relation":"Employment","left":"Person","right":"Company","instanceKey":"stint_id",
       "fields":{"stint_id":"string","role":"string","started_at":"string"}}""";

  @Test
  void theSchemasOfTheSpecificationCanBeWrittenByPeople() {
    assertThat(DeclaredSchema.parse(CUSTOMER)).containsExactly(Schemas.CUSTOMER);
    assertThat(DeclaredSchema.parse("[" + EMPLOYMENT + "," + CUSTOMER + "]"))
        .containsExactly(Schemas.EMPLOYMENT, Schemas.CUSTOMER);
    assertThat(DeclaredSchema.parse(StoredSchema.of(Schemas.PRODUCT).json()))
        .containsExactly(Schemas.PRODUCT);
  }

  @Test
  void everyTypeHasAForm() {
    TypeSchema schema =
        DeclaredSchema.parse(
                """
                {"entity":"T","key":"id","fields":{"id":"long","tags":["string"],
                 "profile":{"city":"string?","at":{"type":"instant"}},"scores":{"*":"double"},
                 "any":"any","maybe":"any?","price":"decimal","rows":[{"n":"long"}],
                 "aliases":{"type":["string"],"optional":true},
                 "home":{"type":{"city":"string"},"named":"Address","optional":true},
                 "odd":{"foreign":"int | str","spec":null}}}""")
            .get(0);
    assertThat(words(schema))
        .containsExactly(
            "aliases [string]?",
            "any any",
            "home Address{city: string}?",
            "id long",
            "maybe any?",
            "odd int | str",
            "price decimal",
            "profile Profile{at: instant, city: string?}",
            "rows [Rows{n: long}]",
            "scores {*: double}",
            "tags [string]");
    assertThat(DeclaredSchema.of(DeclaredSchema.write(schema))).containsExactly(schema);
  }

  @Test
  void aSchemaIsWrittenInTheOrderOfReading() {
    assertThat(DeclaredSchema.write(Schemas.CUSTOMER))
        .hasToString(
            """
            {"entity":"Customer","key":"id","fields":{"active":"boolean","age":"long",\
            "email":{"type":"string?","index":true},"id":"string","name":"string",\
            "tier":{"type":"string","index":true}}}""");
    assertThat(DeclaredSchema.write(Schemas.EMPLOYMENT))
        .hasToString(
            """
            {"relation":"Employment","left":"Person","right":"Company","instanceKey":"stint_id",\
            "fields":{"role":"string","started_at":"string","stint_id":"string"}}""");
  }

  @Test
  void whatIsWrittenIsReadBackHoweverItsFieldsAreNamed() {
    Seed seed = Seed.of("whatIsWrittenIsReadBackHoweverItsFieldsAreNamed");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 3_000; i++) {
      SortedMap<String, Field> fields = new TreeMap<>();
      fields.put("k", Field.of(Scalar.STRING));
      fields.put(name(random), new Field(type(random, 4), random.nextBoolean()));
      TypeSchema schema = Schemas.entity("T", "k", fields);
      JsonNode written = DeclaredSchema.write(schema);
      assertThat(DeclaredSchema.of(written)).as("%s of %s", written, seed).containsExactly(schema);
      String stored = StoredSchema.of(schema).json();
      assertThat(StoredSchema.parse(stored).schema())
          .as("%s of %s", stored, seed)
          .isEqualTo(schema);
    }
  }

  private static FieldType type(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth == 0 ? 4 : 9)) {
      case 0, 1 -> List.of(Scalar.values()).get(random.nextInt(Scalar.values().length));
      case 2 -> Foreign.any();
      case 3 -> new Nullable(Scalar.LONG);
      case 4 -> new ListOf(type(random, depth - 1));
      case 5 -> new MapOf(type(random, depth - 1));
      case 6 -> {
        FieldType inner = type(random, depth - 1);
        yield inner instanceof Nullable ? inner : new Nullable(inner);
      }
      default -> {
        SortedMap<String, FieldType> fields = new TreeMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          fields.put(name(random), type(random, depth - 1));
        }
        yield new RecordOf(random.nextBoolean() ? "Type" : "Address", fields);
      }
    };
  }

  /** Names that mean something in a description too. */
  private static String name(RandomGenerator random) {
    return List.of("type", "index", "optional", "named", "foreign", "spec", "x", "id")
        .get(random.nextInt(8));
  }

  @Test
  void aForeignTypeIsShownWithItsWords() {
    TypeSchema schema = Schemas.with(new Foreign("int | str", NullNode.getInstance()));
    assertThat(CanonicalJson.write(DeclaredSchema.write(schema)))
        .contains("\"f\":{\"foreign\":\"int | str\",\"spec\":null}");
    assertThat(DeclaredSchema.of(DeclaredSchema.write(schema))).containsExactly(schema);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"entity\":\"T\",\"key\":\"id\",\"fields\":{\"id\":\"strng\"}}; entity:T has the field id of"
            + " type strng; did you mean string? Known are string, long, double",
        "{\"entity\":\"T\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"a\":{\"b\":[\"x\"]}}};"
            + " entity:T has the field a.b[] of type x; Known are string",
        "{\"entity\":\"T\",\"key\":\"id\",\"fields\":{\"id\":7}}; entity:T has the field id of type 7;"
            + " Known are string",
        "{\"entity\":\"T\",\"key\":\"id\",\"fields\":{\"id\":[]}}; entity:T has the field id of type"
            + " []; Known are string",
        "{\"entity\":\"T\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"a\":[{\"type\":\"long\","
            + "\"index\":true}]}}; entity:T marks a[] with index; only fields of the type",
        "{\"entity\":\"T\",\"key\":\"nr\",\"fields\":{\"id\":\"string\"}}; entity:T names nr as the key,"
            + " but has no such field; its fields are [id]",
        "{\"entity\":\"T\",\"key\":\"id\",\"fields\":{\"id\":\"string?\"}}; entity:T has the key id of"
            + " type string?; not optional",
        "{\"entity\":\"T\",\"fields\":{\"id\":\"string\"}}; entity:T has no \"key\"; give \"key\":",
        "{\"entity\":\"T\",\"key\":\"id\",\"field\":{}}; entity:T has \"field\"; did you mean fields?",
        "{\"entity\":\"T\",\"key\":\"id\",\"fields\":[]}; entity:T has fields that are no object; give",
        "{\"entity\":\"a/b\",\"key\":\"id\"}; \"a/b\" can't be the name of a type; letters",
        "{\"entity\":\"..\",\"key\":\"id\"}; \"..\" can't be the name of a type; letters",
        "{\"entity\":7,\"key\":\"id\"}; another thing than text as \"entity\"; NAME",
        "{\"relation\":\"R\",\"left\":\"A\"}; relation:R has no \"right\"; give",
        "{\"relation\":\"R\",\"left\":\"A\",\"right\":\"B\",\"key\":\"k\"}; relation:R has \"key\";"
            + " Known are relation, left, right, instanceKey, fields",
        "{\"relation\":\"R\",\"left\":\"A\",\"right\":\"B\",\"instanceKey\":\"k\",\"fields\":"
            + "{\"k\":\"long\"}}; has the instance key k of type long; it must be string",
        "{\"entity\":\"T\",\"key\":\"1a\",\"fields\":{\"1a\":\"string\"}}; has a field \"1a\"; digit",
        "{\"entity\":\"T\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"a\":[{\"foreign\":\"x\","
            + "\"spec\":null}]}}; entity:T has foreign words inside of a field, at a[]; for the whole",
        "{\"entity\":\"T\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"a\":{\"type\":"
            + "{\"foreign\":\"x\",\"spec\":null},\"optional\":true}}}; the foreign type x can't be"
            + " made optional; it takes null already",
        "{\"name\":\"T\"}; a schema begins with; \"entity\": NAME",
        "7; a schema begins with; found 7",
        "{; aren't JSON; JSON",
        "' '; it is empty; declare a type"
      })
  void whatBreaksTheRulesIsNamedBesideWhatIsAllowed(String json, String problem, String remedy) {
    assertThatThrownBy(() -> DeclaredSchema.parse(json))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining(remedy);
  }

  @Test
  void aTypeIsDeclaredOnce() {
    assertThatThrownBy(() -> DeclaredSchema.parse("[" + CUSTOMER + "," + CUSTOMER + "]"))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining("entity:Customer is declared twice");
  }

  private static List<String> words(TypeSchema schema) {
    return schema.fields().entrySet().stream()
        .map(field -> field.getKey() + " " + TypeFormatter.format(field.getValue().type()))
        .toList();
  }
}
