// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** A type is declared in a way that breaks the rules of types. Nothing has been changed. */
public final class InvalidSchemaException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidSchemaException(String message) {
    super(ErrorCode.INVALID_SCHEMA, message, null);
  }
}
