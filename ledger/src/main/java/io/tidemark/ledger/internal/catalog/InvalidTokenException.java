// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when a token isn't that of the current plan. Nothing was done. */
public final class InvalidTokenException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private InvalidTokenException(String message) {
    super(ErrorCode.INVALID_TOKEN, message, null);
  }

  /** Refuses a token other than the expected one. */
  public static void require(PlanToken expected, String given, String what) {
    if (!expected.text().equals(given)) {
      throw new InvalidTokenException(
          what
              + " needs the token of its plan, and \""
              + given
              + "\" isn't it: the plan or the ledger has changed since, or it was mistyped; look at"
              + " the plan again");
    }
  }
}
