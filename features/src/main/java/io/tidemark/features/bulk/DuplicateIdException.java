// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Signals that an input has the same id twice. The message contains the id and its positions. */
public final class DuplicateIdException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private DuplicateIdException(String message) {
    super(ErrorCode.DUPLICATE_ID, message, null);
  }

  /**
   * Creates the error for an id that occurs twice.
   *
   * @param places where in the input
   */
  static DuplicateIdException of(String id, String places) {
    return new DuplicateIdException(
        ("the id '%s' is there twice, in %s; nothing was loaded, correct it or let the last one win"
                + " (--last-wins, over HTTP lastWins)")
            .formatted(id, places));
  }
}
