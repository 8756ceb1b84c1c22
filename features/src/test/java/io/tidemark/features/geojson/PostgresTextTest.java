// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.geojson;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresTextTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "\u00fc\u20ac", "\ud83d\ude00", "a\ud83d\ude00\ud83d\ude01b"})
  void wholeCharactersCanBeSent(String text) {
    assertThat(PostgresText.hasLoneSurrogate(text)).isFalse();
    assertThat(PostgresText.isStorable(text)).isTrue();
    assertThat(PostgresText.isStorable(text + '\0')).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\ud83d",
        "a\ud83d",
        "\ude00",
        "\ude00\ud83d",
        "\ud83da",
        "\ud83d\ud83d\ude00",
        "\ud83d\ude00\ude00"
      })
  void halfACharacterCannot(String text) {
    assertThat(PostgresText.hasLoneSurrogate(text)).isTrue();
    assertThat(PostgresText.isStorable(text)).isFalse();
  }
}
