// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.Optional;

/**
 * Progress of a verification.
 *
 * @param commits manifests that were read
 * @param ofCommits about how many commits all branches have
 * @param files data files that were checked
 * @param snapshots snapshots that were checked
 * @param bytes bytes that were read of files and snapshots
 * @param damaged number of damaged objects
 * @param cursor position from which another run can go on; empty before the first commit
 */
public record VerifyProgress(
    long commits,
    long ofCommits,
    long files,
    long snapshots,
    long bytes,
    long damaged,
    Optional<String> cursor) {

  /** Returns the progress before anything was checked. */
  public static VerifyProgress none() {
    return new VerifyProgress(0, 0, 0, 0, 0, 0, Optional.empty());
  }
}
