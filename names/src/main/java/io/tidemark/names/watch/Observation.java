// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

/** State that is known of an address. */
sealed interface Observation {

  /** There is no record. */
  enum Absent implements Observation {
    ABSENT
  }

  /** There is one, and it has come this far. */
  record Present(Watermarks marks) implements Observation {}

  /**
   * Record that exists but can't be read.
   *
   * @param problem why, and what to do
   */
  record Unreadable(String problem) implements Observation {}
}
