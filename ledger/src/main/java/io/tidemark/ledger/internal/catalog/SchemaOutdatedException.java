// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.util.List;

/** Thrown when declared types aren't those of the ledger. Nothing was written. */
public final class SchemaOutdatedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final transient List<SchemaDiff> diffs;

  public SchemaOutdatedException(List<SchemaDiff> diffs) {
    super(ErrorCode.SCHEMA_OUTDATED, message(diffs), null);
    this.diffs = List.copyOf(diffs);
  }

  /** Returns the differences, type by type. */
  public List<SchemaDiff> diffs() {
    return diffs;
  }

  private static String message(List<SchemaDiff> diffs) {
    return "the ledger has other schemas than were declared: "
        + String.join("; ", diffs.stream().map(SchemaDiff::toString).toList())
        + "; declare what is stored, or migrate";
  }
}
