// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Trees of JSON, which are those of Jackson's own mapper with the settings for exact numbers. */
class ExactJsonReaderTest {

  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder().maxNestingDepth(40).build();

  private static final ExactJsonReader READER =
      new ExactJsonReader(LIMITS, JsonNodeFactory.instance);

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(LIMITS).build())
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private static final List<String> SCALARS =
      List.of(
          "null",
          "true",
          "false",
          "0",
          "-0",
          "2147483647",
          "2147483648",
          "-9223372036854775808",
          "9223372036854775808",
          "1.50",
          "0.10",
          "1e2",
          "-1E-400",
          "100e2147483647",
          "1e99999999999",
          "\"\"",
          "\"a\\u0000\\ud800\"",
          "\"\u00e9\ud83d\ude00\"",
          "NaN",
          "tru",
          "'a'");

  @Test
  void everyTextIsReadAsByTheMapperOrRefusedAsThere() {
    Seed seed = Seed.of("everyTextIsReadAsByTheMapperOrRefusedAsThere");
    RandomGenerator random = seed.random();
    int trees = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      value(random, 4, text);
      if (random.nextInt(4) == 0) {
        damage(random, text);
      }
      String json = text.toString();
      Optional<JsonNode> expected = read(() -> MAPPER.readTree(json));
      assertThat(read(() -> READER.read(json))).as("%s: %s", seed, json).isEqualTo(expected);
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      assertThat(read(() -> READER.read(bytes)))
          .as("%s: bytes of %s", seed, json)
          .isEqualTo(read(() -> MAPPER.readTree(bytes)));
      trees += expected.isPresent() ? 1 : 0;
    }
    assertThat(trees).isBetween(5_000, 19_000);
  }

  private static void value(RandomGenerator random, int levels, StringBuilder text) {
    int kind = levels == 0 ? 0 : random.nextInt(3);
    if (kind == 0) {
      int good = random.nextInt(40) == 0 ? SCALARS.size() : SCALARS.size() - 3;
      text.append(SCALARS.get(random.nextInt(good)));
      return;
    }
    text.append(kind == 1 ? '{' : '[');
    for (int i = random.nextInt(4); i > 0; i--) {
      if (kind == 1) {
        // Now and then a member occurs twice.
        text.append('"').append(random.nextInt(30) == 0 ? "twice" : "m" + i).append("\" : ");
      }
      value(random, levels - 1, text);
      text.append(i > 1 ? ", " : "");
    }
    text.append(kind == 1 ? '}' : ']');
  }

  private static void damage(RandomGenerator random, StringBuilder text) {
    int at = random.nextInt(text.length());
    switch (random.nextInt(4)) {
      case 0 -> text.deleteCharAt(at);
      case 1 -> text.insert(at, "[]{},:\"1 ".charAt(random.nextInt(9)));
      case 2 -> text.append(random.nextBoolean() ? " 1" : " x");
      default -> text.setLength(at);
    }
  }

  private interface Reading {
    JsonNode read() throws IOException;
  }

  /** Empty when it is refused. */
  private static Optional<JsonNode> read(Reading reading) {
    try {
      return Optional.of(reading.read());
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Test
  void theDigitsOfNumbersStay() throws IOException {
    assertThat(READER.read("[1.50, 12345678901234567890.10]").toString())
        .isEqualTo("[1.50,12345678901234567890.10]");
    assertThat(READER.read("1e2")).isEqualTo(DecimalNode.valueOf(new BigDecimal("1E+2")));
  }

  @Test
  void whatIsNotOneValueIsRefused() {
    assertThatThrownBy(() -> READER.read("{\"a\": 1, \"a\": 2}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Duplicate field 'a'");
    assertThatThrownBy(() -> READER.read("{} []"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more text after the JSON value");
    assertThatThrownBy(() -> READER.read("[".repeat(41) + "]".repeat(41)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nesting depth");
    assertThatThrownBy(() -> READER.read("[1e99999999999]"))
        .isInstanceOf(NumberFormatException.class);
  }
}
