// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

/** What is copied in several steps, told as one. */
final class Strides implements CopyProgress {

  private final CopyProgress told;
  private final long expected;
  private long commits;
  private long bytes;

  /**
   * Nothing yet.
   *
   * @param expected how many commits there are at least
   */
  Strides(CopyProgress told, long expected) {
    this.told = told;
    this.expected = expected;
  }

  @Override
  public void at(long done, long of, long sent) {
    long before = commits();
    told.at(before + done, Math.max(expected, before + of), bytes() + sent);
  }

  /** A step is done. */
  synchronized void add(long moreCommits, long moreBytes) {
    commits += moreCommits;
    bytes += moreBytes;
  }

  synchronized long commits() {
    return commits;
  }

  synchronized long bytes() {
    return bytes;
  }
}
