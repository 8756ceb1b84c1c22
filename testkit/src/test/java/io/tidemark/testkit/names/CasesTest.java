// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every case of the specification of names is the name of a test, so that none is lost when tests
 * are rewritten. What is missing from the numbers below the specification doesn't have, or it is
 * about remotes, which come with the server: the cases 75 and 77, the weakness 13.
 */
class CasesTest {

  private static final Pattern CASE = Pattern.compile("_names(5_\\d+|\\d+)");

  private static final List<Integer> CASES =
      List.of(
          1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 14, 15, 17, 19, 20, 21, 22, 24, 25, 27, 29, 32, 33,
          34, 36, 37, 38, 39, 40, 42, 43, 44, 45, 46, 47, 49, 50, 51, 52, 54, 55, 56, 57, 59, 60,
          61, 62, 63, 66, 67, 68, 69, 70, 72, 73, 74);

  @Test
  void everyCaseAndEveryWeaknessIsTheNameOfATest() throws IOException {
    Set<String> named = new TreeSet<>();
    for (String room :
        List.of("names", "names-dynamodb", "names-legacy", "objects-s3", "testkit")) {
      try (Stream<Path> files = Files.walk(root().resolve(room).resolve("src"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          CASE.matcher(Files.readString(file))
              .results()
              .forEach((MatchResult found) -> named.add(found.group(1)));
        }
      }
    }
    assertThat(named).containsAll(CASES.stream().map(String::valueOf).toList());
    assertThat(named)
        .containsAll(
            IntStream.rangeClosed(1, 16).filter(n -> n != 13).mapToObj(n -> "5_" + n).toList());
  }

  /** Tests run in the directory of their module, or in the root when started by an IDE. */
  private static Path root() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.isDirectory(dir.resolve(".mvn"))) {
        return dir;
      }
    }
    throw new IllegalStateException("no directory above holds .mvn");
  }
}
