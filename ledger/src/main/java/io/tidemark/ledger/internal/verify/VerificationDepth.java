// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

/** Depth of a verification: how much of a ledger it reads. */
public enum VerificationDepth {
  /** Every manifest; of data files and snapshots whether they exist and have their size. */
  EXISTENCE,
  /** Every byte of every manifest, data file and snapshot, compared by SHA-256. */
  CONTENT
}
