// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

/** Words that several verbs use. */
final class ShownRow {

  private ShownRow() {}

  /** Such as {@code 1 row} and {@code 2 rows}. */
  static String rows(long count) {
    return count(count, "row");
  }

  /** The same of anything that has an s when it is more or less than one. */
  static String count(long count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
  }

  /** That the name of a ledger points elsewhere. */
  static String misnamed(long said, long head) {
    return "the nameservice takes "
        + (said == head ? "another commit " : "commit ")
        + said
        + " for the newest";
  }
}
