// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every case of the specification of features begins the name of a test, so that none is lost when
 * tests are rewritten. Numbers that are missing below the specification doesn't have.
 */
class CasesTest {

  private static final String CASES =
      "A1-3 A7 A8 A10 B1-5 B8 B10-15 B17-21 C1-6 C9-12 C15-20 D1-10 D13-20 D22 D24 D25"
          + " E1-4 E7 E8 F1 F2 F4-9 F11-13";

  /** The tests whose subject is what a person does with SQL. */
  private static final Set<String> SQL =
      Set.of(
          "CollectionFunctionsTest.java",
          "TransactionLogTest.java",
          "TransactionNumberTest.java",
          "TriggersTest.java");

  /**
   * Java takes numbers from the storage, names who acts, and knows neither leaves nor blank ids.
   */
  private static final String SQL_ONLY = "A2 A3 A10 B10 B13 B17 B19 F12";

  /** Batches, reads, the sequencer, the maintainer and what opens a storage are Java's. */
  private static final String JAVA_ONLY =
      "C1-6 C9-12 C16 D1-10 D13-20 D22 D24 D25 E7 F2 F4-7 F9 F11 F13";

  /** The cases that a test names, as in {@code d1ToD6AndD10FeaturesByTags}. */
  private static final Pattern TEST =
      Pattern.compile(
          "(?:void|List<DynamicTest>) ([a-f]\\d+(?:(?:To|And)?[A-F]\\d+)*)[A-Z]\\w*\\(");

  private static final Pattern CASE = Pattern.compile("(To|And)?([A-Fa-f])(\\d+)");

  @Test
  void everyCaseIsTheNameOfATest() throws IOException {
    Set<String> named = named(file -> true);

    assertThat(named).isEqualTo(listed(CASES));
  }

  @Test
  void everyCaseIsTestedThroughSqlAndThroughJavaWhereThereAreBothWays() throws IOException {
    Set<String> bySql = listed(CASES);
    bySql.removeAll(listed(JAVA_ONLY));
    Set<String> byJava = listed(CASES);
    byJava.removeAll(listed(SQL_ONLY));

    assertThat(named(SQL::contains)).containsAll(bySql);
    assertThat(named(file -> !SQL.contains(file))).containsAll(byJava);
  }

  private static Set<String> named(Predicate<String> which) throws IOException {
    Set<String> named = new TreeSet<>();
    try (Stream<Path> files = Files.walk(tests())) {
      for (Path file : files.filter(f -> f.toString().endsWith("Test.java")).toList()) {
        if (which.test(file.getFileName().toString())) {
          TEST.matcher(Files.readString(file))
              .results()
              .forEach(found -> named.addAll(cases(found.group(1))));
        }
      }
    }
    return named;
  }

  private static Set<String> listed(String cases) {
    Set<String> wanted = new TreeSet<>();
    for (String range : cases.split(" ", -1)) {
      int[] numbers =
          Arrays.stream(range.substring(1).split("-", -1)).mapToInt(Integer::parseInt).toArray();
      IntStream.rangeClosed(numbers[0], numbers[numbers.length - 1])
          .forEach(n -> wanted.add(range.charAt(0) + Integer.toString(n)));
    }
    return wanted;
  }

  private static Set<String> cases(String names) {
    Set<String> cases = new TreeSet<>();
    int last = 0;
    for (Matcher found = CASE.matcher(names); found.find(); ) {
      String letter = found.group(2).toUpperCase(Locale.ROOT);
      int number = Integer.parseInt(found.group(3));
      IntStream.rangeClosed("To".equals(found.group(1)) ? last : number, number)
          .forEach(n -> cases.add(letter + n));
      last = number;
    }
    return cases;
  }

  /** Tests run in the directory of their module, or in the root when started by an IDE. */
  private static Path tests() {
    Path here = Path.of("src/test/java");
    return Files.isDirectory(here) ? here : Path.of("features").resolve(here);
  }
}
