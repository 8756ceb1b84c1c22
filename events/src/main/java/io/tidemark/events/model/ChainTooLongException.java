// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when a new event would make its chain too long, as in a loop. Nothing was published. */
public final class ChainTooLongException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public ChainTooLongException(String message) {
    super(ErrorCode.MAX_EVENT_CHAIN_DEPTH, message, null);
  }
}
