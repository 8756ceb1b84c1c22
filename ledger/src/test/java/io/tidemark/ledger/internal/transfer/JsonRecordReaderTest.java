// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRecordReaderTest {

  private static List<String> records(String text) {
    List<String> found = new ArrayList<>();
    Inputs.read(
        new ByteArrayInputStream(text.getBytes(UTF_8)), "text", one -> found.add(one.json()));
    return found;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{1}\n{2}",
        "{1}\r\n\r\n{2}\r\n",
        "\n \t{1} \n\u2003\n\u2003{2}\u2003\n",
        "\uFEFF{1}\n{2}",
        "\u2003{1}\n{2}",
        "[{1},{2}]",
        "\n [ {1}\n,\n{2} ]\n"
      })
  void eachLineOrItemIsARecordAndSpacesAreNone(String text) {
    assertThat(records(text)).containsExactly("{1}", "{2}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n\n", "[]", "\uFEFF"})
  void nothingIsNoRecord(String text) {
    assertThat(records(text)).isEmpty();
  }

  /** Records refer to what was read, of which the next part must not overwrite them. */
  @Test
  void manyLinesAndLongOnesComeAsTheyAre() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      lines.add("{" + i + "x".repeat(i % 97) + (i % 5_000 == 7 ? "\u00e9".repeat(400_000) : ""));
    }
    List<TextRecord> found = new ArrayList<>();
    byte[] text = String.join("\n", lines).getBytes(UTF_8);
    Inputs.read(new ByteArrayInputStream(text), "text", found::add);

    assertThat(found).hasSameSizeAs(lines);
    for (int i = 0; i < lines.size(); i++) {
      assertThat(found.get(i).json().equals(lines.get(i))).as("line %s", i + 1).isTrue();
    }
  }
}
