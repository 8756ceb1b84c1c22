// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/**
 * Thrown when the nameservice knows newer commits than the head does, so that apparent orphans may
 * be commits. Nothing was done.
 */
public final class RewoundHeadException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception, whose message states the remedy.
   *
   * @param location location of the branch
   * @param named the newest commit by the name of the branch
   */
  RewoundHeadException(String location, long head, long named) {
    super(
        ErrorCode.REFUSED,
        "the head in "
            + location
            + " is at commit "
            + head
            + ", but its name says that commit "
            + named
            + " was made: the head was set back, and newer commits seem left over; put it back"
            + " where it was, or, if it is right, have 'index repair' say so to the name",
        null);
  }
}
