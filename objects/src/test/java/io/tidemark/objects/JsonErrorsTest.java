// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of the parser of JSON, as people see them. */
class JsonErrorsTest {

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(3).build())
                  .build())
          .build();

  private static String ofText(String json) {
    return JsonErrors.reason(
        catchThrowableOfType(JsonProcessingException.class, () -> JSON.readTree(json)));
  }

  private static String ofBytes(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return JsonErrors.reason(
        catchThrowableOfType(JsonProcessingException.class, () -> JSON.readTree(bytes)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1 | Unexpected end-of-input: expected close marker for Object (start marker at"
            + " line 1, column 1)",
        "[1,2    | Unexpected end-of-input: expected close marker for Array (start marker at line"
            + " 1, column 1)",
        "[NaN]   | Non-standard token 'NaN'",
        "[[[[1]]]] | Document nesting depth (4) exceeds the maximum allowed (3)",
      })
  void nothingOfTheParserItselfIsTold(String json, String message) {
    assertThat(ofText(json)).isEqualTo(message);
    assertThat(ofBytes(json)).isEqualTo(message);
  }

  @Test
  void aFailureWithoutAMessageIsNotCalledNull() {
    assertThat(JsonErrors.reason(new IOException())).isEqualTo("it can't be read");
    assertThat(JsonErrors.reason(new IOException("disk gone"))).isEqualTo("disk gone");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "[", "[]", "[Source: ", "[Source: a; ", "`", ": enable `"})
  void aLongMessageIsToldInPart(String part) {
    for (String message :
        List.of("[Source: " + part.repeat(1_000_000), part.repeat(1_000_000) + "]")) {
      assertThat(JsonErrors.reason(new IOException(message))).hasSizeLessThanOrEqualTo(2003);
    }
    assertThat(JsonErrors.reason(new IOException("a" + "\ud83d\ude00".repeat(5000))))
        .matches("a(\ud83d\ude00){999}\\.\\.\\.");
  }
}
