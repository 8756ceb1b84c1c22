// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.objects.TidemarkException;
import java.time.Instant;
import java.time.LocalDate;

/** A reader needs days of the log that were dropped. */
public final class LogGoneException extends TidemarkException {

  private static final long serialVersionUID = 1L;

  private LogGoneException(String problem) {
    super("log-gone", problem, null);
  }

  /** Numbers are wanted that were given to transactions of such days. */
  static LogGoneException ofNumber(long wanted, long first) {
    return new LogGoneException(
        ("the log has no number %d any more, its next is %d; read what there is now, and begin after"
                + " %d")
            .formatted(wanted, first, first - 1));
  }

  /** Nobody knows any more which transactions of the day had begun by then. */
  static LogGoneException ofMoment(Instant moment, LocalDate day) {
    return new LogGoneException(
        ("the log of %s was dropped, so it isn't known which transactions had begun by %s; give the"
                + " number of a transaction, or a moment of a day that the log has")
            .formatted(day, moment));
  }

  /** Nobody knows any more which transactions a first page didn't see. */
  static LogGoneException ofPage(LocalDate day) {
    return new LogGoneException(
        ("the log of %s was dropped since the first page was made, so no further page can be of the"
                + " same moment; begin again with the first page")
            .formatted(day));
  }
}
