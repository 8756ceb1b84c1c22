// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueCheckTest {

  private static final RecordOf ADDRESS =
      new RecordOf("Address", new TreeMap<>(Map.of("city", new Nullable(Scalar.STRING))));
  private static final RecordOf PROFILE =
      new RecordOf("Profile", new TreeMap<>(Map.of("address", new Nullable(ADDRESS))));
  private static final RecordOf EVENT =
      new RecordOf("Event", new TreeMap<>(Map.of("ts", Scalar.LONG)));

  @Test
  void aRowIsStoredSortedAndComplete() {
    Fact fact =
        ValueCheck.of(Schemas.CUSTOMER)
            .entity(
                object(
                    """
                    {"tier": "Gold", "name": "Alic\u00e9", "id": "c1", "age": 30.0,
                     "active": true}"""));
    assertThat(fact.type()).isEqualTo(TypeId.entity("Customer"));
    assertThat(fact.identity()).isEqualTo(new EntityKey("c1"));
    // The example of section 1.7.
    assertThat(fact.fieldsJson())
        .isEqualTo(
            "{\"active\":true,\"age\":30,\"email\":null,\"id\":\"c1\",\"name\":\"Alic\\u00e9\","
                + "\"tier\":\"Gold\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "STRING; \"a\"; \"a\"",
        "STRING; \"\"; \"\"",
        "STRING; \"\\ud83d\\ude00\"; \"\\ud83d\\ude00\"",
        "LONG; 30; 30",
        "LONG; 30.0; 30",
        "LONG; 3e1; 30",
        "LONG; -0.0; 0",
        "LONG; 9223372036854775807; 9223372036854775807",
        "LONG; -9223372036854775808.0; -9223372036854775808",
        "DOUBLE; 10; 10.0",
        "DOUBLE; 9.50; 9.5",
        "DOUBLE; 1e16; 1e+16",
        "DOUBLE; 1e-999999999; 0.0",
        "BOOLEAN; false; false",
        "DECIMAL; 10.0; 10",
        "DECIMAL; 100; 100",
        "DECIMAL; \"12.50\"; 12.5",
        "DECIMAL; 0.000; 0",
        "DECIMAL; 99999999999999999999.999999999999999999; 99999999999999999999.999999999999999999",
        "INSTANT; \"2026-02-10T12:34:56Z\"; \"2026-02-10T12:34:56+00:00\"",
        "INSTANT; \"2026-02-10T14:34:56.789012999+02:00\"; \"2026-02-10T12:34:56.789012+00:00\"",
        "INSTANT; \"2026-02-10T12:34:56.5+00:00\"; \"2026-02-10T12:34:56.500000+00:00\"",
        "INSTANT; \"2026-02-10T12:34:56.000000+00:00\"; \"2026-02-10T12:34:56+00:00\"",
        "INSTANT; \"2024-02-29T23:59:59.000001+00:00\"; \"2024-02-29T23:59:59.000001+00:00\"",
        "INSTANT; \"2026-02-10T12:34Z\"; \"2026-02-10T12:34:00+00:00\""
      })
  void aScalarIsStoredInOneForm(Scalar type, String given, String stored) {
    assertThat(check(type, given)).isEqualTo(stored);
    assertThat(check(type, stored)).isEqualTo(stored);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "STRING; 1; f is 1; it is a string: give text in quotes",
        "STRING; null; f is null; give a string, or declare the field as optional",
        "STRING; \"a\\ud83d\"; half of a surrogate pair; give the whole or none",
        "STRING; \"\\ude00\\ud83d\"; half of a surrogate pair; give the whole or none",
        "LONG; 1.5; f is 1.5; it is a long: give a whole number",
        "LONG; \"5\"; f is \"5\"; it is a long: give a whole number",
        "LONG; true; f is true; it is a long: give a whole number",
        "LONG; 9223372036854775808; f is 9223372036854775808; from -2^63 to 2^63 - 1",
        "LONG; 1e999999999; f is 1E+999999999; from -2^63 to 2^63 - 1",
        "DOUBLE; 1e400; f is 1E+400; it is a double",
        "DOUBLE; \"NaN\"; f is \"NaN\"; it is a double",
        "DOUBLE; false; f is false; it is a double",
        "BOOLEAN; 1; f is 1; it is a boolean: give true or false",
        "BOOLEAN; \"true\"; f is \"true\"; it is a boolean: give true or false",
        "DECIMAL; 100000000000000000000; f is 100000000000000000000; at most 20 digits before",
        "DECIMAL; 0.0000000000000000001; f is 1E-19; 18 behind it",
        "DECIMAL; 1e999999999; f is 1E+999999999; at most 20 digits before",
        "DECIMAL; 100e2147483647; f is 1.00E+2147483649; at most 20 digits before",
        "DECIMAL; \"12,5\"; f is \"12,5\"; it is a decimal",
        "DECIMAL; true; f is true; it is a decimal",
        "INSTANT; \"2026-02-10T12:34:56\"; f is \"2026-02-10T12:34:56\"; with an offset or Z",
        "INSTANT; \"2026-02-30T12:34:56Z\"; f is \"2026-02-30T12:34:56Z\"; give text such as",
        "INSTANT; \"+12026-02-10T12:34:56Z\"; f is \"+12026; in the years 1 to 9999",
        "INSTANT; \"2025-02-29T12:34:56+00:00\"; f is \"2025-02-29T12:34:56+00:00\"; give text such",
        "INSTANT; \"2025-02-28T24:34:56+00:00\"; f is \"2025-02-28T24:34:56+00:00\"; give text such",
        "INSTANT; \"0000-02-28T12:34:56+00:00\"; f is \"0000-02-28T12:34:56+00:00\"; 1 to 9999",
        "INSTANT; 1770000000; f is 1770000000; it is an instant"
      })
  void aValueThatDoesNotFitIsRefusedWithItsPlaceAndARemedy(
      Scalar type, String given, String problem, String remedy) {
    assertThatThrownBy(() -> check(type, given))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("entity:T k: ")
        .hasMessageContaining(problem)
        .hasMessageContaining(remedy);
  }

  @Test
  void everyMomentHasOneText() {
    Seed seed = Seed.of("everyMomentHasOneText");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 2_000; i++) {
      Instant moment =
          Instant.ofEpochSecond(
              random.nextLong(-62_135_596_800L, 253_402_300_800L),
              random.nextBoolean() ? 0 : random.nextInt(1_000_000) * 1_000L);
      String stored = "\"" + UtcTimestamp.format(moment) + "\"";
      OffsetDateTime elsewhere = moment.atOffset(ZoneOffset.ofHours(random.nextInt(-3, 4)));
      assertThat(check(Scalar.INSTANT, stored)).as("of %s", seed).isEqualTo(stored);
      assertThat(check(Scalar.INSTANT, "\"" + moment + "\"")).as("of %s", seed).isEqualTo(stored);
      assertThat(check(Scalar.INSTANT, "\"" + elsewhere + "\""))
          .as("%s of %s", elsewhere, seed)
          .isEqualTo(stored);
    }
  }

  @Test
  void whatWasFoundIsShownInAtMostSixtyCharacters() {
    assertThatThrownBy(() -> check(Scalar.LONG, "\"" + "x".repeat(1000) + "\""))
        .hasMessage(
            "entity:T k: f is \""
                + "x".repeat(59)
                + "… (1002 characters); it is a long: give a whole number from -2^63 to 2^63 - 1");
  }

  @Test
  void nestedValuesAreNormalisedInside() {
    assertThat(check(new Nullable(PROFILE), "{\"address\":{}}"))
        .isEqualTo("{\"address\":{\"city\":null}}");
    assertThat(check(new Nullable(PROFILE), "null")).isEqualTo("null");
    assertThat(check(new MapOf(Scalar.DOUBLE), "{\"\uffff\":1,\"\ud83d\ude00\":2,\"a\":3}"))
        .isEqualTo("{\"a\":3.0,\"\\uffff\":1.0,\"\\ud83d\\ude00\":2.0}");
    assertThat(check(new ListOf(EVENT), "[{\"ts\":1.0},{\"ts\":2}]"))
        .isEqualTo("[{\"ts\":1},{\"ts\":2}]");
  }

  @Test
  void anErrorNamesThePathOfTheField() {
    assertThatThrownBy(() -> check(PROFILE, "{\"address\":{\"city\":5}}"))
        .hasMessageStartingWith("entity:T k: f.address.city is 5; it is a string");
    assertThatThrownBy(() -> check(new ListOf(EVENT), "[{\"ts\":1},{\"ts\":2},{\"ts\":true}]"))
        .hasMessageStartingWith("entity:T k: f[2].ts is true; it is a long");
    assertThatThrownBy(() -> check(new ListOf(new ListOf(Scalar.LONG)), "[[1],[2,\"x\"]]"))
        .hasMessageStartingWith("entity:T k: f[1][1] is \"x\"");
    assertThatThrownBy(() -> check(new MapOf(Scalar.LONG), "{\"a\":null}"))
        .hasMessageStartingWith("entity:T k: f.a is null; give a long");
    assertThatThrownBy(() -> check(new ListOf(EVENT), "[{\"ts\":1,\"tz\":1}]"))
        .hasMessage("entity:T k: there is no field f[0].tz; did you mean ts? Known are ts");
    assertThatThrownBy(() -> check(new ListOf(EVENT), "[{}]"))
        .hasMessageStartingWith("entity:T k: f[0].ts is missing; give a long");
    assertThatThrownBy(() -> check(PROFILE, "[]"))
        .hasMessage("entity:T k: f is []; it is an object: give {..} with the fields [address]");
    assertThatThrownBy(() -> check(new MapOf(Scalar.LONG), "{\"\\ud800\":1}"))
        .hasMessageContaining("half of a surrogate pair in its name");
  }

  @Test
  void aForeignTypeTakesAnyJsonWithItsFractionsAsDoubles() {
    String given = "{\"b\":[1,1.50,null,true,{\"a\":12345678901234567890}],\"a\":\"x\"}";
    assertThat(check(Foreign.any(), given))
        .isEqualTo("{\"a\":\"x\",\"b\":[1,1.5,null,true,{\"a\":12345678901234567890}]}");
    assertThat(check(Foreign.any(), "null")).isEqualTo("null");
    assertThatThrownBy(() -> check(Foreign.any(), "[1e400]"))
        .hasMessageStartingWith("entity:T k: f[0] is 1E+400");
    assertThatThrownBy(() -> check(Foreign.any(), "[\"\\ud800\"]"))
        .hasMessageContaining("half of a surrogate pair");
    assertThatThrownBy(() -> check(Foreign.any(), "[".repeat(190) + "]".repeat(190)))
        .hasMessageContaining("more than 150 deep");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3.14159265358979323846",
        "-12345678901234567.8",
        "123456789012345678901234567890.0",
        "0.100000000000000005",
        "1e-400"
      })
  void aForeignTypeRefusesANumberThatNoDoubleHolds(String number) {
    for (String given : List.of(number, "[" + number + "]", "{\"a\":" + number + "}")) {
      assertThatThrownBy(() -> check(Foreign.any(), given))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageContaining(" is " + new BigDecimal(number) + "; ")
          .hasMessageContaining("at most 17 digits")
          .hasMessageEndingWith("give it as text, or declare the field as decimal");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0.29999999999999999, 0.3",
    "1.50000000000000000000000, 1.5",
    "1e300, 1e+300",
    "0e-999999999, 0.0",
    "4.9406564584124654e-324, 5e-324",
    "12345678901234567890123456789012, 12345678901234567890123456789012"
  })
  void aForeignTypeTakesEveryDoubleAndEveryWholeNumber(String given, String stored) {
    assertThat(check(Foreign.any(), given)).isEqualTo(stored);
  }

  @Test
  void aFieldThatIsNotKnownIsNamedBesideTheNearestOne() {
    ObjectNode row = object("{\"id\":\"p1\",\"name\":\"Ann\",\"nmae\":\"Ann\"}");
    assertThatThrownBy(() -> ValueCheck.of(Schemas.PERSON).entity(row))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(
            "entity:Person p1: there is no field nmae; did you mean name? Known are id, name");
  }

  @Test
  void aRequiredFieldMustBeThere() {
    assertThatThrownBy(() -> ValueCheck.of(Schemas.PERSON).entity(object("{\"id\":\"p1\"}")))
        .hasMessage(
            "entity:Person p1: name is missing; give a string, since what is asserted are all"
                + " fields");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{}; the key id is missing",
        "{\"id\":null}; the key id is missing",
        "{\"id\":\"\"}; the key id is blank",
        "{\"id\":\" \\t\"}; the key id is blank",
        "{\"id\":7}; id is 7; it is a string",
        "{\"id\":\"\\ud800\"}; half of a surrogate pair"
      })
  void anEntityHasAKey(String fields, String problem) {
    assertThatThrownBy(() -> ValueCheck.of(Schemas.PERSON).entity(object(fields)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("entity:Person: ")
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "5.0", "5e0"})
  void b9_aWholeNumberAsKeyIsTextInTheIdentity(String key) {
    TypeSchema schema = Schemas.entity("N", "id", Map.of("id", Field.of(Scalar.LONG)));
    Fact fact = ValueCheck.of(schema).entity(object("{\"id\":" + key + "}"));
    assertThat(fact).isEqualTo(new Fact(TypeId.entity("N"), new EntityKey("5"), "{\"id\":5}"));
  }

  @Test
  void b14_anyCharacterIsFineInKeysAndValues() throws IOException {
    String key = "\u00e9\ud83d\ude00'\"/\\";
    String value = "a\n\u2028";
    ObjectNode row = CanonicalJson.object().put("id", key).put("name", value);
    Fact fact = ValueCheck.of(Schemas.PERSON).entity(row);
    assertThat(fact.identity()).isEqualTo(new EntityKey(key));
    assertThat(fact.fieldsJson())
        .isEqualTo("{\"id\":\"\\u00e9\\ud83d\\ude00'\\\"/\\\\\",\"name\":\"a\\n\\u2028\"}");
    assertThat(CanonicalJson.parse(fact.fieldsJson())).isEqualTo(row);
  }

  @Test
  void b7_anInstanceKeyIsAPartOfTheIdentityAndNotOfThePayload() {
    ValueCheck check = ValueCheck.of(Schemas.EMPLOYMENT);
    ObjectNode fields = object("{\"role\":\"eng\",\"started_at\":\"2020\"}");
    RelationKey stint = new RelationKey("p1", "c1", "stint-1");
    assertThat(check.relation(stint, fields))
        .isEqualTo(
            new Fact(
                TypeId.relation("Employment"),
                stint,
                "{\"role\":\"eng\",\"started_at\":\"2020\"}"));
    assertThatThrownBy(() -> check.relation(stint, fields.deepCopy().put("stint_id", "stint-1")))
        .hasMessageStartingWith(
            "relation:Employment (p1, c1, stint-1): there is no field stint_id");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void b8_aBlankInstanceKeyIsRefused(String instance) {
    ObjectNode fields = object("{\"role\":\"eng\",\"started_at\":\"2020\"}");
    assertThatThrownBy(
            () ->
                ValueCheck.of(Schemas.EMPLOYMENT)
                    .relation(new RelationKey("p1", "c1", instance), fields))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("the instance key stint_id is blank");
  }

  @Test
  void theEndsOfARelationAreNotBlankAndAnInstanceKeyIsDeclared() {
    ValueCheck check = ValueCheck.of(Schemas.SUBSCRIPTION);
    ObjectNode fields = object("{\"seat_count\":1,\"started_at\":\"2020\",\"active\":true}");
    assertThat(check.relation(new RelationKey("c1", "p1", ""), fields).fieldsJson())
        .isEqualTo("{\"active\":true,\"seat_count\":1,\"started_at\":\"2020\"}");
    assertThatThrownBy(() -> check.relation(new RelationKey(" ", "p1", ""), fields))
        .hasMessageContaining("the key of its left end is blank");
    assertThatThrownBy(() -> check.relation(new RelationKey("c1", "", ""), fields))
        .hasMessageContaining("the key of its right end is blank");
    assertThatThrownBy(() -> check.relation(new RelationKey("c1", "p1", "x"), fields))
        .hasMessageContaining("the instance key \"x\", but its type has none");
  }

  @Test
  void aRowOverTheLimitIsRefused() {
    String name = "x".repeat(100);
    ObjectNode row = CanonicalJson.object().put("id", "p1").put("name", name);
    int bytes = ValueCheck.of(Schemas.PERSON).entity(row).fieldsJson().length();
    assertThat(ValueCheck.of(Schemas.PERSON, bytes).entity(row).fieldsJson()).hasSize(bytes);
    assertThatThrownBy(() -> ValueCheck.of(Schemas.PERSON, bytes - 1).entity(row))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(
            "entity:Person p1: its fields are " + bytes + " bytes of JSON, more than the limit");
    ObjectNode large = row.deepCopy().put("name", "x".repeat(10 << 20));
    assertThatThrownBy(() -> ValueCheck.of(Schemas.PERSON).entity(large))
        .hasMessageContaining("more than the limit of 8388608");
  }

  private static String check(FieldType type, String value) {
    ObjectNode row = object("{\"id\":\"k\",\"f\":" + value + "}");
    String json = ValueCheck.of(Schemas.with(type)).entity(row).fieldsJson();
    assertThat(json).startsWith("{\"f\":").endsWith(",\"id\":\"k\"}");
    return json.substring("{\"f\":".length(), json.length() - ",\"id\":\"k\"}".length());
  }

  private static ObjectNode object(String json) {
    try {
      return (ObjectNode) CanonicalJson.parse(json);
    } catch (IOException e) {
      throw new IllegalArgumentException(json, e);
    }
  }
}
