// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.schema.TypeId;
import java.util.Optional;

/**
 * Progress of loading a type: the table, and how far it goes.
 *
 * @param stamp what the table was made for; see {@link #fingerprint}
 * @param table where its rows are
 * @param commitId every row up to this commit is there
 * @param manifestPath the path that tells that commit from another of its number
 * @param loose how many rows were added behind those that are sorted, and aren't themselves
 * @param seen a head of which that commit is the newest, or the last that touched the type; empty
 *     when another process fed it
 */
record LoadedTable(
    TypeId type,
    String stamp,
    String table,
    long commitId,
    String manifestPath,
    long loose,
    Optional<PinnedHead> seen) {

  /**
   * Inputs of a table beside its commits: the ledger it is of, the version of the type, its columns
   * and how rows of other versions are shown in it, and the commit before which nothing counts. A
   * table with another stamp is of no use.
   */
  static String fingerprint(TypeView type, PinnedHead pinnedHead) {
    return epoch(pinnedHead)
        + "version "
        + type.versionId()
        + " after "
        + pinnedHead.type(type.id()).floor()
        + " columns "
        + type.typed()
        + (type.tag().isEmpty() ? "" : " shown by " + type.tag());
  }

  private static String epoch(PinnedHead pinnedHead) {
    return "epoch " + pinnedHead.head().epoch().orElse("unknown") + " ";
  }

  /** Returns whether it is of the ledger that a head is of, not of one in the same place before. */
  boolean isOfLedger(PinnedHead pinnedHead) {
    return stamp.startsWith(epoch(pinnedHead));
  }

  LoadedTable upTo(long commit, String manifest, PinnedHead pinnedHead) {
    return new LoadedTable(type, stamp, table, commit, manifest, loose, Optional.of(pinnedHead));
  }

  /** Returns this with more rows, which a step added. */
  LoadedTable withUnsortedRows(long rows) {
    return inTable(table, loose + rows);
  }

  /** Returns the same progress in a table with so many rows that aren't sorted. */
  LoadedTable inTable(String other, long unsorted) {
    return new LoadedTable(type, stamp, other, commitId, manifestPath, unsorted, seen);
  }
}
