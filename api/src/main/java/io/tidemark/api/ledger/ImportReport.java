// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.List;
import java.util.Optional;

/**
 * Report of an import.
 *
 * @param status {@link #DRY_RUN}, {@link #APPLIED} or {@link #CONFLICT}
 * @param commitId the last commit; empty if there is none
 * @param totalRecords number of records that were read
 * @param unchanged rows that were to be upserted and are equal
 * @param skipped rows that exist and stay as they are
 * @param conflicts rows that exist and are in the way
 * @param commits all commits, the oldest first
 * @param reasons the first conflicts in words
 */
public record ImportReport(
    String status,
    Optional<Long> commitId,
    long totalRecords,
    long inserts,
    long updates,
    long unchanged,
    long skipped,
    long conflicts,
    List<Long> commits,
    List<String> reasons) {

  /** Status of an import that was only planned. */
  public static final String DRY_RUN = "dry_run";

  /** Status of an import that was done. */
  public static final String APPLIED = "applied";

  /** Status of an import that a row or the precondition prevented. */
  public static final String CONFLICT = "conflict";

  public ImportReport {
    commits = List.copyOf(commits);
    reasons = List.copyOf(reasons);
  }
}
