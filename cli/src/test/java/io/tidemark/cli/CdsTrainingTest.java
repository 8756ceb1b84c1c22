// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CdsTrainingTest {

  @Test
  void itLeavesNothingBehind() throws IOException {
    long before = left();
    CdsTraining.main(new String[0]);
    assertThat(left()).isEqualTo(before);
  }

  private static long left() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("tidemark-rehearsal-"))
          .count();
    }
  }
}
