// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.internal.json.NormalizedJson;
import io.tidemark.objects.internal.json.NormalizedJsonBuffer;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Section 1.5 of the specification: a line that is taken as it is says what a parser reads. */
class ExportedLineParserTest {

  private static final TypeSchema EVERYTHING =
      Schemas.entity(
          "E",
          "id",
          Map.of(
              "id", Field.of(Scalar.STRING),
              "exact", Field.of(new Nullable(Scalar.DECIMAL)),
              "flag", Field.of(new Nullable(Scalar.BOOLEAN)),
              "moment", Field.of(new Nullable(Scalar.INSTANT)),
              "real", Field.of(Scalar.DOUBLE),
              "text", Field.of(new Nullable(Scalar.STRING)),
              "whole", Field.of(new Nullable(Scalar.LONG))));
  private static final TypeSchema NUMBERED =
      Schemas.entity("N", "id", Map.of("id", Field.of(Scalar.LONG)));
  private static final JsonFactCodec FACTS =
      JsonFactCodec.of(
          Stream.of(EVERYTHING, NUMBERED, Schemas.EMPLOYMENT, Schemas.SUBSCRIPTION)
              .map(schema -> ValueCheck.of(schema, 300))
              .toList());

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "7",
          "-7",
          "007",
          "1.",
          ".5",
          "1.50",
          "0.0",
          "-0.0",
          "0.25",
          "-0.25",
          "5.0",
          "0.0001",
          "0.00012",
          "0.00001",
          "-12.5",
          "123456789012345678",
          "1234567890123456789",
          "12345678901234.5",
          "123456789012345.0",
          "0.1234567890123456",
          "99999999999999.75",
          "1e3",
          "1E-7",
          "9223372036854775808",
          "NaN",
          "-",
          "100",
          "100.0",
          "0.10",
          "10.01");
  private static final List<String> TEXTS =
      List.of(
          "\"\"",
          "\" \"",
          "\"a\"",
          "\"p1\"",
          "\"\\u00e9\"",
          "\"\u00e9\"",
          "\"\\n\"",
          "\"a",
          "\"2026-02-10T12:34:56+00:00\"",
          "\"2026-02-10T12:34:56.789012+00:00\"",
          "\"2026-02-10T12:34:56Z\"",
          "\"2026-02-30T12:34:56+00:00\"",
          "\"12.50\"",
          "\"" + "long ".repeat(60) + "\"");
  private static final List<String> WORDS = List.of("null", "true", "false", "tru", "{}", "[1]");

  private final FactBytes bytes = new FactBytes();

  @Test
  void whatIsTakenAsItIsIsWhatAParserReads() throws IOException {
    Seed seed = Seed.of("whatIsTakenAsItIsIsWhatAParserReads");
    RandomGenerator random = seed.random();
    int taken = 0;
    for (int i = 0; i < 40_000; i++) {
      String line = line(random);
      byte[] utf8 = ("x" + line + "y").getBytes(UTF_8);
      if (FACTS.read(utf8, 1, utf8.length - 1, bytes)) {
        taken++;
        assertThat(bytes.fact()).as("%s of %s", line, seed).isEqualTo(FACTS.parse(line));
        assertThat(valueForm()).isEqualTo(NormalizedJson.of(bytes.fact().fieldsJson()));
      }
    }
    assertThat(taken).as(seed.toString()).isGreaterThan(2_000);
  }

  private String valueForm() {
    NormalizedJsonBuffer value = new NormalizedJsonBuffer();
    value.read(bytes.payload());
    return new String(value.array(), 0, value.length(), US_ASCII);
  }

  private static String line(RandomGenerator random) {
    String key = some(random, random.nextInt(3) == 0 ? TEXTS : List.of("\"p1\"", "\"a\""));
    String other = random.nextInt(9) == 0 ? some(random, TEXTS) : key;
    return switch (random.nextInt(4)) {
      case 0 -> everything(random, key, other);
      case 1 -> {
        String id = some(random, NUMBERS);
        String said = random.nextInt(9) == 0 ? "\"7\"" : "\"" + id + "\"";
        yield "{\"fields\":{\"id\":" + id + "},\"key\":" + said + end("entity", "N");
      }
      case 2 ->
          "{\"fields\":{\"role\":\"r\",\"started_at\":"
              + some(random, TEXTS)
              + "}"
              + (random.nextInt(9) == 0 ? "" : ",\"instance_key\":" + other)
              + ",\"left_key\":"
              + key
              + ",\"right_key\":"
              + some(random, TEXTS)
              + end("relation", "Employment");
      default ->
          "{\"fields\":{\"active\":true,\"seat_count\":"
              + some(random, NUMBERS)
              + ",\"started_at\":\"\"}"
              + (random.nextInt(9) == 0 ? ",\"instance_key\":\"\"" : "")
              + ",\"left_key\":"
              + key
              + ",\"right_key\":"
              + other
              + end("relation", "Subscription");
    };
  }

  private static String everything(RandomGenerator random, String key, String other) {
    String space = random.nextInt(30) == 0 ? " " : "";
    return "{\"fields\":{\"exact\":"
        + any(random, NUMBERS)
        + ",\"flag\":"
        + any(random, List.of("true", "false", "null"))
        + space
        + ",\"id\":"
        + key
        + (random.nextInt(30) == 0 ? "" : ",\"moment\":" + any(random, TEXTS.subList(8, 10)))
        + ",\"real\":"
        + (random.nextBoolean() ? real(random) : any(random, NUMBERS))
        + ",\"text\":"
        + any(random, TEXTS)
        + ",\"whole\":"
        + any(random, NUMBERS)
        + "},\"key\":"
        + other
        + end("entity", "E");
  }

  private static String real(RandomGenerator random) {
    return String.valueOf(random.nextInt(1_000_000) / Math.pow(10, random.nextInt(6)));
  }

  private static String end(String kind, String name) {
    return ",\"type_kind\":\"" + kind + "\",\"type_name\":\"" + name + "\"}";
  }

  private static String any(RandomGenerator random, List<String> usual) {
    List<String> from =
        switch (random.nextInt(40)) {
          case 0 -> TEXTS;
          case 1 -> NUMBERS;
          case 2 -> WORDS;
          case 3, 4, 5 -> List.of("null");
          default -> usual;
        };
    return some(random, from);
  }

  private static String some(RandomGenerator random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  @Test
  void anExportedLineIsTaken() {
    String line =
        "{\"fields\":{\"exact\":12.5,\"flag\":true,\"id\":\"p1\",\"moment\":null,\"real\":5.0,"
            + "\"text\":\"a b\",\"whole\":-3},\"key\":\"p1\""
            + end("entity", "E");
    byte[] utf8 = line.getBytes(UTF_8);

    assertThat(FACTS.read(utf8, 0, utf8.length, bytes)).isTrue();
    Fact fact = bytes.fact();
    assertThat(fact).isEqualTo(FACTS.parse(line));
    assertThat(valueForm()).contains("\"real\":5,").doesNotContain("5.0");
  }
}
