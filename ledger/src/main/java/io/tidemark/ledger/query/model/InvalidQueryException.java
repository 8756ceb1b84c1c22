// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** A query asks what can't be answered, or isn't meant. Nothing was read. */
public final class InvalidQueryException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /** The message says the problem, the value and the remedy. */
  public InvalidQueryException(String message) {
    super(ErrorCode.INVALID_QUERY, message, null);
  }
}
