// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.text;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Exception for a condition that wasn't understood. The message shows the place of the mistake. */
public final class InvalidFilterException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final int position;

  InvalidFilterException(String filter, int position, String problem) {
    super(ErrorCode.INVALID_FILTER, message(filter, position, problem), null);
    this.position = position;
  }

  /** Returns where it goes wrong: how many characters stand before it. */
  public int position() {
    return position;
  }

  private static String message(String filter, int position, String problem) {
    String shown = filter.replaceAll("\\p{Cntrl}", " ");
    return problem
        + ", at character "
        + (position + 1)
        + " of the condition\n  "
        + shown
        + "\n  "
        + " ".repeat(shown.codePointCount(0, Math.min(position, shown.length())))
        + "^";
  }
}
