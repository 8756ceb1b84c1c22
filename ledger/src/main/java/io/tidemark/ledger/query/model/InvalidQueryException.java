// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when a query is invalid or can't be answered. Nothing was read. */
public final class InvalidQueryException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; the message states the problem, the value and the remedy. */
  public InvalidQueryException(String message) {
    super(ErrorCode.INVALID_QUERY, message, null);
  }
}
