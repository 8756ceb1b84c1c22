// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * Progress of a verification.
 *
 * @param commits manifests that were read
 * @param ofCommits about how many commits all branches have
 * @param files data files that were checked
 * @param bytes bytes of data files and snapshots that were read
 * @param damaged how many objects are damaged
 * @param cursor where another run can go on; empty before the first commit
 */
@RecordBuilder
public record VerificationProgress(
    long commits,
    long ofCommits,
    long files,
    long snapshots,
    long bytes,
    long damaged,
    Optional<VerificationCursor> cursor)
    implements VerificationProgressBuilder.With {

  /** Returns the progress before anything was checked. */
  public static VerificationProgress none(long ofCommits) {
    return new VerificationProgress(0, ofCommits, 0, 0, 0, 0, Optional.empty());
  }
}
