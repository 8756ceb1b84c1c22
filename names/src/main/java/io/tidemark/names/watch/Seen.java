// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

/** What is known of an address. */
sealed interface Seen {

  /** There is no record. */
  enum Absent implements Seen {
    ABSENT
  }

  /** There is one, and it has come this far. */
  record Present(Marks marks) implements Seen {}

  /**
   * What is there can't be read.
   *
   * @param problem why, and what to do
   */
  record Broken(String problem) implements Seen {}
}
