// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.time.Instant;
import java.time.LocalDate;

/**
 * Signals that a reader needs transactions that the log doesn't have any more: days that were
 * dropped, or numbers that a storage had before it was restored from a backup.
 */
public final class LogGoneException extends TidemarkException {

  private static final long serialVersionUID = 1L;

  private LogGoneException(String problem) {
    super(ErrorCode.LOG_GONE, problem, null);
  }

  /** Creates the error for numbers that were given to transactions of dropped days. */
  static LogGoneException ofNumber(long wanted, long first) {
    return new LogGoneException(
        ("the log has no number %d any more, its next is %d; read what there is now, and begin"
                + " after %d")
            .formatted(wanted, first, first - 1));
  }

  /**
   * Creates the error of a reader whose position is beyond the log: it has read another log, or one
   * that was longer.
   */
  static LogGoneException ahead(long position, long last) {
    return new LogGoneException(
        ("the position %d is ahead of the log, which ends at %d: the storage was restored from a"
                + " backup, or is another one; read what there is now, and begin after %d")
            .formatted(position, last, last));
  }

  /** Creates the error for a head in the nameservice that is ahead of the log. */
  static LogGoneException headAhead(long head, long last) {
    return new LogGoneException(
        ("the head is at %d, ahead of the log, which ends at %d: the storage was restored from a"
                + " backup, or a copy of it is at work elsewhere; purge the record, and it is made"
                + " anew")
            .formatted(head, last));
  }

  /**
   * Creates the error for a moment on a dropped day: the transactions that had begun by then can't
   * be determined any more.
   */
  static LogGoneException ofMoment(Instant moment, LocalDate day) {
    return new LogGoneException(
        ("the log of %s was dropped, so it isn't known which transactions had begun by %s; give the"
                + " number of a transaction, or a moment of a day that the log has")
            .formatted(day, moment));
  }

  /**
   * Creates the error for a page whose day was dropped: the transactions that the first page didn't
   * see can't be determined any more.
   */
  static LogGoneException ofPage(LocalDate day) {
    return new LogGoneException(
        ("the log of %s was dropped since the first page was made, so no further page can be of the"
                + " same moment; begin again with the first page")
            .formatted(day));
  }
}
