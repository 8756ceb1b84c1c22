// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.terminal.Plural;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Text format that several verbs on ledgers share. */
final class LedgerFormatter {

  private LedgerFormatter() {}

  /** Returns a number of rows, such as {@code 1 row} and {@code 2 rows}. */
  static String rows(long count) {
    return Plural.of(count, "row");
  }

  /** Returns a type with its kind, such as {@code entity:Customer}. */
  static String type(String kind, String name) {
    return kind + ":" + name;
  }

  /** Returns the key of an entity, or the keys of a relation in parentheses. */
  static String identity(
      Optional<String> key,
      Optional<String> left,
      Optional<String> right,
      Optional<String> instance) {
    return key.orElseGet(
        () ->
            Stream.of(left, right, instance)
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", ", "(", ")")));
  }

  /** Returns a message that the name of a ledger points elsewhere. */
  static String misnamed(long said, long head) {
    return "the nameservice takes "
        + (said == head ? "another commit " : "commit ")
        + said
        + " for the newest";
  }
}
