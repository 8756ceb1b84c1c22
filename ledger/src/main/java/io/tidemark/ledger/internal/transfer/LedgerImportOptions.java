// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.List;
import java.util.Map;

/**
 * Options of an import.
 *
 * @param partSize how many rows a commit takes; {@link #ONE_COMMIT} for all at once
 * @param metadata kept with each commit
 * @param declared types that the ledger may not have yet, or should have just so
 */
@RecordBuilder
public record LedgerImportOptions(
    Mode mode,
    OnConflict onConflict,
    Precondition precondition,
    int partSize,
    Map<String, String> metadata,
    List<TypeSchema> declared)
    implements LedgerImportOptionsBuilder.With {

  /** Everything in one commit: all of it or nothing. */
  public static final int ONE_COMMIT = Integer.MAX_VALUE;

  /** Mode of an import: a dry run, or a change of the ledger. */
  public enum Mode {
    /** Only say what would be done. */
    DRY_RUN,
    APPLY
  }

  /** Policy for rows whose identity is there already. */
  public enum OnConflict {
    /** Nothing is imported. */
    ABORT,
    /** They stay as they are. */
    SKIP,
    /** They get a new version, unless they are equal. */
    UPSERT
  }

  public LedgerImportOptions {
    metadata = Map.copyOf(metadata);
    declared = List.copyOf(declared);
    if (partSize < 1) {
      throw new IllegalArgumentException("a commit takes at least one row, not " + partSize);
    }
    if (precondition == Precondition.Presence.MUST_EXIST && onConflict == OnConflict.ABORT) {
      throw new IllegalArgumentException(
          "rows that must exist can't abort because they do; skip them or upsert them");
    }
  }

  /** Returns options for a dry run that would abort on a conflict. */
  public static LedgerImportOptions standard() {
    return new LedgerImportOptions(
        Mode.DRY_RUN, OnConflict.ABORT, Precondition.Presence.ANY, ONE_COMMIT, Map.of(), List.of());
  }
}
