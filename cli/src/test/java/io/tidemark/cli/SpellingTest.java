// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

  @ParameterizedTest
  @CsvSource({
    "bench, bench, 0",
    "bench, bnech, 1",
    "bench, benhc, 1",
    "bench, ench, 1",
    "bench, benchh, 1",
    "bench, banch, 1",
    "kitten, sitting, 3",
    "'', help, 4",
    "help, '', 4"
  })
  void slipsAreCountedBothWays(String a, String b, int slips) {
    assertThat(Spelling.editDistance(a, b)).isEqualTo(slips);
    assertThat(Spelling.editDistance(b, a)).isEqualTo(slips);
  }

  @Test
  void theWordWithTheFewestSlipsIsNearest() {
    assertThat(Spelling.nearest("lits", List.of("lint", "list", "help"))).contains("list");
  }

  @Test
  void ofEquallyNearWordsTheFirstInTheAlphabetIsTaken() {
    assertThat(Spelling.nearest("bat", List.of("cat", "bad"))).contains("bad");
  }

  @Test
  void nothingIsNearToNonsense() {
    assertThat(Spelling.nearest("xyz", List.of("list", "help"))).isEmpty();
    assertThat(Spelling.nearest("xyz", List.of())).isEmpty();
  }
}
