// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when the declaration of a type is invalid. Nothing has been changed. */
public final class InvalidSchemaException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidSchemaException(String message) {
    super(ErrorCode.INVALID_SCHEMA, message, null);
  }
}
