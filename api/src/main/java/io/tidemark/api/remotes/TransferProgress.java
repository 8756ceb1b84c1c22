// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

/**
 * Progress of a transfer.
 *
 * @param commits commits that were copied
 * @param ofCommits commits to be copied; 0 until that is known
 * @param bytes bytes that were sent
 */
public record TransferProgress(long commits, long ofCommits, long bytes) {

  /** Returns the progress of a transfer that has begun. */
  public static TransferProgress none() {
    return new TransferProgress(0, 0, 0);
  }
}
