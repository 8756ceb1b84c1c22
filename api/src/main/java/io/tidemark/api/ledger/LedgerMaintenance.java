// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.tidemark.api.ProgressListener;

/** Work that keeps a ledger in order: indices, verification, compaction and garbage collection. */
public interface LedgerMaintenance {

  /** Returns whether the indices are complete and the nameservice knows the newest commit. */
  IndexReport verifyIndex(IndexVerifyRequest request);

  /** Writes incomplete indices anew and corrects the name, or says what it would write. */
  IndexRepairResult repairIndex(IndexRepairRequest request);

  /**
   * Merges the files of many commits into few, or says which it would merge.
   *
   * @param listener told of the rows of each type
   */
  CompactionResult compact(CompactionRequest request, ProgressListener listener);

  /**
   * Deletes what failed writers, dropped branches and compaction left, or says what it would
   * delete.
   *
   * @param listener told of what is deleted
   */
  GarbageReport collectGarbage(GarbageRequest request, ProgressListener listener);

  /** Verifies that every object of the ledger is as it was written, on all branches. */
  VerifyReport verify(VerifyRequest request, VerifyListener listener);
}
