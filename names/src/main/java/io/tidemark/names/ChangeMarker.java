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
   * Reads the marker with one request.
   *
   * @param known the version that the caller has; empty for none
   */
  State read(Optional<String> known);

  /**
   * Replaces the marker with one request, if it still has the version that the caller knows.
   *
   * @param known the version to be replaced; empty when no marker was written yet
   * @return the version written; empty when another writer was faster
   */
  Optional<String> write(Optional<String> known, String text);

  /**
   * Returns whether the store updates the marker by itself whenever a record changes, so that
   * callers needn't write it.
   */
  default boolean isSelfUpdating() {
    return false;
  }

  /** Result of reading the marker. */
  sealed interface State {}

  /**
   * The marker's current text.
   *
   * @param version names this very text, for the next reading or writing
   */
  record Current(String version, String text) implements State {}

  /** The marker still has the version that the caller knows. */
  enum Unchanged implements State {
    UNCHANGED
  }

  /** No marker was ever written. */
  enum Absent implements State {
    BLANK
  }
}
