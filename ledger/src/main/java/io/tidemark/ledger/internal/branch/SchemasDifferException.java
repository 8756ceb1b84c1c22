// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when two branches have a type with different schemas. Nothing was merged. */
public final class SchemasDifferException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  SchemasDifferException(String what) {
    super(
        ErrorCode.SCHEMA_OUTDATED,
        what + "; migrate one branch so that both have the same schema, and merge then",
        null);
  }
}
