// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import java.util.List;
import java.util.Locale;

/**
 * Report on what an import did, or would do.
 *
 * @param commits the commits it made, the oldest first; none when there was nothing to change
 * @param totalRecords how many records were read, those that later ones replace included
 * @param unchanged rows that were there already just so, and were to be upserted
 * @param skipped rows that were left as they are
 * @param conflicts rows that stand in the way
 * @param reasons what stands in the way, the first few of it
 */
public record LedgerImportReport(
    Status status,
    List<Long> commits,
    long totalRecords,
    long inserts,
    long updates,
    long unchanged,
    long skipped,
    long conflicts,
    List<String> reasons) {

  /** Outcome of an import. */
  public enum Status {
    /** Nothing was to be written, and nothing stands in the way. */
    DRY_RUN,
    /** The import is done. */
    APPLIED,
    /** Something stands in the way; when in one commit, nothing was written. */
    CONFLICT;

    /** Returns the status as it is written in JSON: {@code dry_run}. */
    public String jsonName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public LedgerImportReport {
    commits = List.copyOf(commits);
    reasons = List.copyOf(reasons);
  }
}
