// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Refusal of access settings, grants or tokens that are malformed or unsafe. */
public final class InvalidAccessException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidAccessException(String message) {
    super(ErrorCode.INVALID_ACCESS, message, null);
  }
}
