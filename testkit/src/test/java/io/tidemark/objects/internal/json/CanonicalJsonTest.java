// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

  @Test
  void keysAreSortedByCodePointAndAllBeyondAsciiIsEscaped() throws IOException {
    // In UTF-16 the smiley's first half d83d is below ffff; as a character it is above.
    ObjectNode object = CanonicalJson.object();
    object.put("\ud83d\ude00", 1).put("\uffff", 2).put("b", 3).put("B", 4).put("", 5);
    assertThat(CanonicalJson.write(object))
        .isEqualTo("{\"\":5,\"B\":4,\"b\":3,\"\\uffff\":2,\"\\ud83d\\ude00\":1}");
    assertThat(
            CanonicalJson.write(CanonicalJson.parse("\"\\u007f~ \\/\\b\\f\\n\\r\\t\\u0001\\\"\"")))
        .isEqualTo("\"\\u007f~ /\\b\\f\\n\\r\\t\\u0001\\\"\"");
  }

  @Test
  void keysOfOneBeginningAreSortedByLength() {
    List<String> keys = new ArrayList<>(List.of("ab", "a", "a!", "aa"));
    keys.sort(CanonicalJson.ORDER);
    assertThat(keys).containsExactly("a", "a!", "aa", "ab");
  }

  @ParameterizedTest
  @CsvSource({
    "1.50, 1.50",
    "1e3, 1000",
    "12345678901234567890, 12345678901234567890",
    "1e999999999, 1E+999999999",
    "1e-999999999, 1E-999999999"
  })
  void aNumberIsWrittenWithItsDigitsUnlessTheyWouldFillTheMemory(String given, String written)
      throws IOException {
    assertThat(CanonicalJson.write(CanonicalJson.parse(given))).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{}{}", "{\"a\":1,\"a\":2}", "NaN", "[1,]", "'a'", "1e99999999999"})
  void whatIsNoJsonIsRefused(String text) {
    assertThatThrownBy(() -> CanonicalJson.parse(text)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> CanonicalJson.parse(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void jsonNestedTooDeepIsRefused() {
    assertThatThrownBy(() -> CanonicalJson.parse("[".repeat(201) + "]".repeat(201)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("200");
  }
}
