// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** The newest commit isn't the expected one. Nothing was written. */
public final class UnexpectedHeadException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final long expected;
  private final long actual;

  public UnexpectedHeadException(long expected, long actual) {
    super(
        ErrorCode.HEAD_MISMATCH,
        "the newest commit is %d, not %d; look at what has changed, and try again"
            .formatted(actual, expected));
    this.expected = expected;
    this.actual = actual;
  }

  /** Returns the commit that the caller expected, 0 for none. */
  public long expected() {
    return expected;
  }

  /** Returns the newest commit, 0 for none. */
  public long actual() {
    return actual;
  }
}
