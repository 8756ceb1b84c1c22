// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.internal.hash.Sha256;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Section 1.4 of the specification: schemas as they are stored, and their hashes. */
class StoredSchemaTest {

  static Stream<Arguments> golden() {
    return Stream.of(
        Arguments.of(
            Schemas.PERSON, "b90c2aca745243e95981deceda4050d5295da6fe2584354bba5aa001b277a4a4"),
        Arguments.of(
            Schemas.CUSTOMER, "1df836de97bfbf47f6aec6cedfddd1e6ae68c6339e81568eaef0ace27ed3ad34"),
        Arguments.of(
            Schemas.PRODUCT, "bd70db4993ebd5c00da8164f83302caff0d1477cd615f8cfe5726aa31b5b91ad"),
        Arguments.of(
            Schemas.SUBSCRIPTION,
            "04440cf4ff55dffad07c4e6fdaff6dc8ba9c436ce7e34da048d911339ecbedb2"),
        Arguments.of(
            Schemas.EMPLOYMENT,
            "6f5f503c0b0fb6ebe366eee96f6f645e54529415519661fc6a75c7f110433191"));
  }

  @ParameterizedTest
  @MethodSource("golden")
  void theHashesAreThoseThatOtherProgramsCompute(TypeSchema schema, String hash) {
    StoredSchema stored = StoredSchema.of(schema);
    assertThat(stored.hash()).isEqualTo(hash);
    StoredSchema again = StoredSchema.parse(stored.json());
    assertThat(again.schema()).isEqualTo(schema);
    assertThat(again.hash()).isEqualTo(hash);
  }

  @Test
  void aSchemaThatWasReadLatelyIsNotParsedAgain() {
    String json = StoredSchema.of(Schemas.PERSON).json();
    StoredSchema first = StoredSchema.parse(json);
    for (int i = 0; i < 999; i++) {
      StoredSchema other = StoredSchema.parse(json.replace("Person", "Person" + i));
      assertThat(other.schema().id().name()).isEqualTo("Person" + i);
    }
    assertThat(StoredSchema.parse(new String(json.toCharArray()))).isSameAs(first);
    for (int i = 0; i < 1000; i++) {
      StoredSchema unused = StoredSchema.parse(json.replace("Person", "Human" + i));
    }
    assertThat(StoredSchema.parse(json)).isNotSameAs(first);
  }

  @Test
  void anEntityAndARelationAreWrittenInFull() {
    assertThat(StoredSchema.of(Schemas.with(Scalar.LONG)).json())
        .isEqualTo(
            """
            {"entity_name":"T","fields":{\
            "f":{"index":false,"primary_key":false,"type":"<class 'int'>",\
            "type_spec":{"kind":"primitive","name":"int"}},\
            "id":{"index":false,"primary_key":true,"type":"<class 'str'>",\
            "type_spec":{"kind":"primitive","name":"str"}}}}""");
    assertThat(StoredSchema.of(Schemas.SUBSCRIPTION).json())
        .startsWith(
            """
            {"fields":{"active":{"index":false,"type":"<class 'bool'>",\
            "type_spec":{"kind":"primitive","name":"bool"}}""")
        .endsWith(
            """
            "instance_key_field":null,"left_type":"Customer",\
            "relation_name":"Subscription","right_type":"Product"}""");
  }

  static Stream<Arguments> types() {
    FieldType address =
        new RecordOf("Address", new TreeMap<>(Map.of("city", new Nullable(Scalar.STRING))));
    String str = "{'kind':'primitive','name':'str'}";
    String none = "{'kind':'primitive','name':'NoneType'}";
    String strings = "{'item':" + str + ",'kind':'list'}";
    String dict =
        "{'fields':{'city':{'kind':'primitive','name':'str | None'}},"
            + "'kind':'typed_dict','name':'Address','total':true}";
    return Stream.of(
        Arguments.of(
            Scalar.DECIMAL, "<class 'decimal.Decimal'>", "{'kind':'primitive','name':'Decimal'}"),
        Arguments.of(
            Scalar.INSTANT,
            "<class 'datetime.datetime'>",
            "{'kind':'primitive','name':'datetime'}"),
        Arguments.of(
            new Nullable(Scalar.DOUBLE),
            "float | None",
            "{'kind':'primitive','name':'float | None'}"),
        Arguments.of(
            new Nullable(Scalar.INSTANT),
            "datetime.datetime | None",
            "{'kind':'primitive','name':'datetime.datetime | None'}"),
        Arguments.of(new ListOf(Scalar.STRING), "list[str]", strings),
        Arguments.of(
            new MapOf(Scalar.LONG),
            "dict[str, int]",
            "{'key':" + str + ",'kind':'dict','value':{'kind':'primitive','name':'int'}}"),
        Arguments.of(address, "<class 'Address'>", dict),
        Arguments.of(
            new Nullable(new ListOf(Scalar.STRING)),
            "typing.Optional[list[str]]",
            "{'kind':'union','members':[" + strings + "," + none + "]}"),
        Arguments.of(
            new Nullable(address),
            "typing.Optional[Address]",
            "{'kind':'union','members':[" + dict + "," + none + "]}"),
        Arguments.of(
            new ListOf(new MapOf(new Nullable(Scalar.BOOLEAN))),
            "list[dict[str, bool | None]]",
            "{'item':{'key':"
                + str
                + ",'kind':'dict','value':{'kind':'primitive','name':'bool | None'}},'kind':'list'}"),
        Arguments.of(Foreign.any(), "typing.Any", "{'kind':'primitive','name':'any'}"));
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyTypeHasItsWordsAndIsReadBack(FieldType type, String words, String spec)
      throws IOException {
    StoredSchema stored = StoredSchema.of(Schemas.with(type));
    JsonNode field = CanonicalJson.parse(stored.json()).path("fields").path("f");
    assertThat(field.path("type").asText()).isEqualTo(words);
    assertThat(CanonicalJson.write(field.path("type_spec"))).isEqualTo(spec.replace('\'', '"'));
    assertThat(StoredSchema.parse(stored.json()).schema()).isEqualTo(stored.schema());
  }

  @Test
  void anOptionalScalarInOtherWordsMeansTheSameAndKeepsItsHash() {
    String words =
        stored(
            "typing.Optional[str]",
            """
            {"kind":"union","members":[{"kind":"primitive","name":"NoneType"},\
            {"kind":"primitive","name":"str"}]}""");
    StoredSchema stored = StoredSchema.parse(words);
    TypeSchema same = Schemas.with(new Nullable(Scalar.STRING));
    assertThat(stored.schema()).isEqualTo(same);
    assertThat(stored.json()).isEqualTo(words);
    assertThat(stored.hash())
        .isEqualTo(Sha256.hex(words))
        .isNotEqualTo(StoredSchema.of(same).hash());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "<class 'str'>; string",
        "str | None; string?",
        "typing.Optional[str]; string?",
        "list[str]; [string]",
        "typing.List[int]; [long]",
        "dict[str, list[float]]; {*: [double]}",
        "list[str] | None; [string]?",
        "<class 'decimal.Decimal'>; decimal",
        "typing.Any; any",
        "list[str; list[str",
        "dict[int, str]; dict[int, str]",
        "str | int | None; str | int | None",
        "<class 'models.Address'>; <class 'models.Address'>"
      })
  void anOldSchemaWithoutSpecsIsReadByItsWords(String type, String words) {
    String json = stored(type, "");
    StoredSchema stored = StoredSchema.parse(json);
    assertThat(TypeFormatter.format(fieldOf(stored).type())).isEqualTo(words);
    assertThat(stored.json()).isEqualTo(json);
  }

  @Test
  void whatIsNotUnderstoodIsForeignAndKeepsItsWords() {
    String spec =
        """
        {"kind":"union","members":[{"kind":"primitive","name":"int"},\
        {"kind":"primitive","name":"str"}]}""";
    for (String unknown :
        new String[] {
          spec,
          "{\"item\":" + spec + ",\"kind\":\"list\"}",
          "{\"kind\":\"ref\",\"name\":\"Other\"}",
          "{\"fields\":{},\"kind\":\"typed_dict\",\"name\":\"P\",\"total\":false}"
        }) {
      String json = stored("some.Words", unknown);
      StoredSchema stored = StoredSchema.parse(json);
      assertThat(fieldOf(stored).type()).isInstanceOf(Foreign.class);
      assertThat(stored.json()).isEqualTo(json);
      assertThat(StoredSchema.of(stored.schema()).json()).isEqualTo(json);
    }
  }

  @Test
  void unknownFieldsOfAStoredSchemaSurvive() {
    String json = StoredSchema.of(Schemas.PERSON).json().replace("{\"entity", "{\"a\":1,\"entity");
    assertThat(StoredSchema.parse(json).json()).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"fields\":{}}; neither entity_name nor relation_name",
        "{\"entity_name\":\"T\",\"fields\":{}}; entity:T has the key fields []",
        "{\"entity_name\":\"../T\",\"fields\":{}}; \"../T\" can't be the name of a type",
        "[]; neither entity_name nor relation_name",
        "{\"entity_name\"; isn't JSON"
      })
  void whatIsNoSchemaIsRefused(String json, String problem) {
    assertThatThrownBy(() -> StoredSchema.parse(json))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining(problem);
  }

  private static Field fieldOf(StoredSchema stored) {
    Field field = stored.schema().fields().get("f");
    assertThat(field).isNotNull();
    return field;
  }

  private static String stored(String type, String spec) {
    String id =
        """
        "id":{"index":false,"primary_key":true,"type":"<class 'str'>",\
        "type_spec":{"kind":"primitive","name":"str"}}""";
    String field =
        "\"f\":{\"index\":false,\"primary_key\":false,\"type\":\""
            + type
            + "\""
            + (spec.isEmpty() ? "" : ",\"type_spec\":" + spec)
            + "}";
    return "{\"entity_name\":\"T\",\"fields\":{" + field + "," + id + "}}";
  }
}
