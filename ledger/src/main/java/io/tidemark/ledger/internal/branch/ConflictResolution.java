// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

/** What is to become of fields that both sides of a merge changed differently. */
public enum ConflictResolution {
  /** Nothing is merged, and the conflicts are told. */
  REFUSE,
  /** They stay as the target has them. */
  OURS,
  /** They become what the source has. */
  THEIRS
}
