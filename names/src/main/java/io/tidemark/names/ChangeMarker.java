// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/**
 * A small text that a backend keeps beside its records and that is replaced only by
 * compare-and-set: one request to see whether anything has moved, however many records there are.
 * {@link ChangeLog} is what it says.
 */
public interface ChangeMarker {

  /**
   * What it says now; one request.
   *
   * @param known the version that the caller has; empty for none
   */
  State read(Optional<String> known);

  /**
   * Writes it, if it is as the caller knows it; one request.
   *
   * @param known the version to be replaced; empty when nothing was written yet
   * @return the version written; empty when another was faster
   */
  Optional<String> write(Optional<String> known, String text);

  /**
   * Returns whether the store writes it by itself whenever a record is changed, so that nobody else
   * has to.
   */
  default boolean isSelfUpdating() {
    return false;
  }

  /** What a reader is told. */
  sealed interface State {}

  /**
   * It says this.
   *
   * @param version names this very text, for the next reading or writing
   */
  record Current(String version, String text) implements State {}

  /** It still says what the caller knows. */
  enum Unchanged implements State {
    UNCHANGED
  }

  /** Nothing was ever written. */
  enum Absent implements State {
    BLANK
  }
}
