// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.plan;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when a query was cancelled before it was answered. */
public final class QueryCancelledException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public QueryCancelledException(String message) {
    super(ErrorCode.QUERY_STOPPED, message, null);
  }
}
