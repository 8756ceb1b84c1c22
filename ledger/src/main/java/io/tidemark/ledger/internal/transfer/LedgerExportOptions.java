// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.ledger.schema.TypeId;
import java.time.Instant;
import java.util.Set;

/**
 * Options of an export.
 *
 * @param types which types; none for all
 */
@RecordBuilder
public record LedgerExportOptions(Scope scope, Set<TypeId> types, Metadata metadata, Schema schema)
    implements LedgerExportOptionsBuilder.With {

  /** Schemas that rows are shown in. */
  public sealed interface Schema {

    /** Those that types have now. */
    enum Now implements Schema {
      NOW
    }

    /** Those that types had at a commit. */
    record AtCommit(long commitId) implements Schema {}
  }

  /** Versions of the rows that are exported. */
  public sealed interface Scope {

    /** The last version of each row. */
    enum Latest implements Scope {
      LATEST
    }

    /** The last version that each row had as of a commit. */
    record AsOf(long commitId) implements Scope {}

    /** The last version that each row had at a time, by the clocks of the writers. */
    record AtTime(Instant time) implements Scope {}

    /** Every version that was written after a commit. */
    record HistorySince(long commitId) implements Scope {}
  }

  /** Metadata that is written with each row. */
  public enum Metadata {
    NONE,
    /** Id of the commit that wrote the row. */
    COMMIT_ID
  }

  public LedgerExportOptions {
    types = Set.copyOf(types);
  }

  /** Returns options for all rows as they are. */
  public static LedgerExportOptions standard() {
    return new LedgerExportOptions(Scope.Latest.LATEST, Set.of(), Metadata.NONE, Schema.Now.NOW);
  }
}
