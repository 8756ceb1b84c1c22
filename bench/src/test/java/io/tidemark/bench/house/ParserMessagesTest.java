// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Messages of the JSON parser reach people in one way only. */
class ParserMessagesTest {

  private final SourceTree tree = SourceTree.find();

  @Test
  void onlyOneClassReadsTheMessagesOfTheParser() throws IOException {
    List<String> readers = new ArrayList<>();
    for (String module : tree.modules()) {
      try (Stream<Path> files = Files.walk(tree.path(module, "src", "main", "java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          if (Files.readString(file).contains(".getOriginalMessage()")) {
            readers.add(file.getFileName().toString());
          }
        }
      }
    }
    assertThat(readers).containsExactly("JsonErrors.java");
  }
}
