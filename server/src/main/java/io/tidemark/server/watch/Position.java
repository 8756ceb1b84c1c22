// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import java.util.Optional;

/**
 * How far a client has come, as it is told and comes back with.
 *
 * @param epoch of the history whose numbers are meant
 */
record Position(String epoch, long number) {

  /**
   * Reads what {@link #toString} wrote; what it can't have written is no position in any history.
   */
  static Position parse(String text) {
    int dash = text.lastIndexOf('-');
    try {
      return dash > 0
          ? new Position(text.substring(0, dash), Long.parseLong(text.substring(dash + 1)))
          : new Position("", 0);
    } catch (NumberFormatException e) {
      return new Position("", 0);
    }
  }

  /** Returns whether a client that stands there can be told all that it has missed. */
  static boolean isKept(Optional<Position> position, WatchHistory watchHistory) {
    return position
        .filter(
            at -> at.epoch().equals(watchHistory.epoch()) && watchHistory.retainsSince(at.number()))
        .isPresent();
  }

  @Override
  public String toString() {
    return epoch + "-" + number;
  }
}
