// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text of others on a terminal. */
class TerminalEscapingTest {

  @ParameterizedTest
  @ValueSource(
      chars = {
        '\u0000', '\u001b', '\u007f', '\u009b', '\u061c', '\u200e', '\u200f', '\u2028', '\u2029',
        '\u202a', '\u202d', '\u202e', '\u2066', '\u2069', '\ufeff', '\r'
      })
  void whatATerminalObeysIsShown(char c) {
    String escaped = String.format("\\u%04x", (int) c);
    assertThat(TerminalEscaping.escape("a" + c + "b\n")).isEqualTo("a" + escaped + "b\n");
    assertThat(Table.aligned(List.of(List.of("a" + c + "b")))).isEqualTo("a" + escaped + "b");
  }

  @Test
  void otherTextStaysAsItIs() {
    String text = "Müller, 東京, \u05d0\u05d1, 👩\u200d🚀\tand\nmore";
    assertThat(TerminalEscaping.escape(text)).isEqualTo(text);
  }

  @Test
  void oneThingIsNoPlural() {
    assertThat(List.of(Plural.of(0, "row"), Plural.of(1, "row"), Plural.of(2, "row")))
        .containsExactly("0 rows", "1 row", "2 rows");
  }
}
