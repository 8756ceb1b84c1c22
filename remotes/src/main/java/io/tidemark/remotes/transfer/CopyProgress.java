// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

/** Told how far copying is, now and then and by any thread. */
@FunctionalInterface
public interface CopyProgress {

  /**
   * So much is done.
   *
   * @param commits of which all is there by now
   * @param ofCommits how many there are to be
   * @param bytes sent so far
   */
  void at(long commits, long ofCommits, long bytes);

  /** Returns a listener that ignores progress. */
  static CopyProgress none() {
    return (commits, ofCommits, bytes) -> {};
  }
}
