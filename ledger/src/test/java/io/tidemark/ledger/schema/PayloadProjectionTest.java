// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values of one version of a type as values of another. */
class PayloadProjectionTest {

  private static TypeSchema type(String field) {
    return DeclaredSchema.parse(
            "{\"entity\": \"T\", \"key\": \"id\", \"fields\": {\"id\": \"string\", \"v\": "
                + field
                + "}}")
        .get(0);
  }

  private static String shown(String from, String to, String value) {
    String payload = "{\"id\":\"a\",\"v\":" + value + "}";
    String shown =
        PayloadProjection.between(type(from), type(to), Map.of("id", "id", "v", "v"))
            .apply(payload);
    return shown.substring("{\"id\":\"a\",\"v\":".length(), shown.length() - 1);
  }

  @Test
  void aNumberIsKeptIfTheOtherTypeHasIt() {
    assertThat(shown("\"long\"", "\"decimal\"", "7")).isEqualTo("7");
    assertThat(shown("\"long\"", "\"double\"", "7")).isEqualTo("7.0");
    assertThat(shown("\"double\"", "\"long\"", "7.0")).isEqualTo("7");
    assertThat(shown("\"double\"", "\"long\"", "7.5")).isEqualTo("null");
    assertThat(shown("\"long\"", "\"double\"", "9007199254740993"))
        .as("more digits than a double has")
        .isEqualTo("null");
    assertThat(shown("\"decimal\"", "\"double\"", "0.1")).isEqualTo("0.1");
  }

  @Test
  void textIsNoNumberAndNumbersAreNoText() {
    assertThat(shown("\"string\"", "\"long\"", "\"7\"")).isEqualTo("null");
    assertThat(shown("\"string\"", "\"decimal\"", "\"7\"")).isEqualTo("null");
    assertThat(shown("\"long\"", "\"string\"", "7")).isEqualTo("null");
    assertThat(shown("\"string\"", "\"instant\"", "\"2026-01-02T03:04:05+00:00\""))
        .isEqualTo("\"2026-01-02T03:04:05+00:00\"");
    assertThat(shown("\"string\"", "\"instant\"", "\"soon\"")).isEqualTo("null");
  }

  @Test
  void textIsAnInstantIfItHasNoDigitsBelowTheMicrosecond() {
    for (String exact :
        List.of("2026-01-02T03:04:05.678901Z", "2026-01-02T04:04:05.678901000+01:00")) {
      assertThat(shown("\"string\"", "\"instant\"", "\"" + exact + "\""))
          .isEqualTo("\"2026-01-02T03:04:05.678901+00:00\"");
    }
    for (String finer :
        List.of(
            "2026-01-02T03:04:05.6789012Z",
            "2026-01-02T03:04:05.000000001+00:00",
            "9999-12-31T23:59:59.999999999Z")) {
      assertThat(shown("\"string\"", "\"instant\"", "\"" + finer + "\"")).isEqualTo("null");
    }
  }

  @Test
  void partsOfObjectsAndListsAreShownLikeFields() {
    String before = "{\"a\": \"long\", \"b\": \"string\"}";
    String after = "{\"a\": \"string?\", \"b\": \"string\", \"c\": \"long?\"}";
    assertThat(shown(before, after, "{\"a\":1,\"b\":\"x\"}"))
        .isEqualTo("{\"a\":null,\"b\":\"x\",\"c\":null}");
    assertThat(shown("[\"any\"]", "[\"long\"]", "[1,\"x\",2.0]")).isEqualTo("[1,null,2]");
    assertThat(shown("\"any\"", "[\"long\"]", "\"x\"")).isEqualTo("null");
  }

  @Test
  void payloadsOfEqualFieldsStayAsTheyAre() {
    TypeSchema optional = type("\"long?\"");
    PayloadProjection same =
        PayloadProjection.between(type("\"long\""), optional, Map.of("id", "id", "v", "v"));
    PayloadProjection another = PayloadProjection.between(optional, optional, Map.of("id", "id"));

    assertThat(same.isIdentity()).isTrue();
    assertThat(another.isIdentity()).as("a field that came back under its name").isFalse();
    assertThat(another.apply("no JSON")).isEqualTo("no JSON");
  }
}
