// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.terminal.Plural;

/** Words that several verbs use. */
final class ShownRow {

  private ShownRow() {}

  /** Such as {@code 1 row} and {@code 2 rows}. */
  static String rows(long count) {
    return Plural.of(count, "row");
  }

  /** That the name of a ledger points elsewhere. */
  static String misnamed(long said, long head) {
    return "the nameservice takes "
        + (said == head ? "another commit " : "commit ")
        + said
        + " for the newest";
  }
}
