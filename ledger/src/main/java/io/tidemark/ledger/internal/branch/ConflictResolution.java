// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

/** Resolution of fields that both sides of a merge changed differently. */
public enum ConflictResolution {
  /** Nothing is merged, and the conflicts are reported. */
  REFUSE,
  /** The fields keep the values of the target. */
  OURS,
  /** The fields take the values of the source. */
  THEIRS
}
