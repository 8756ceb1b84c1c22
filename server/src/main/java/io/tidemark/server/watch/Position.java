// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import java.util.Optional;

/**
 * Position of a client in a history, which it receives and sends when it comes back.
 *
 * @param epoch epoch of the history that the number belongs to
 */
record Position(String epoch, long number) {

  /** Parses the text of {@link #toString}; any other text becomes a position in no history. */
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

  /** Returns whether the history still retains all events after a position. */
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
