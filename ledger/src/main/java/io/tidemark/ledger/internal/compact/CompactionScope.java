// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

/** Extent of a compaction. */
public enum CompactionScope {
  /**
   * Files of about the same size, once there are eight of them: the scope of automatic compaction.
   */
  FULL_TIERS,
  /** Files of about the same size, even only two. Large files stay as they are. */
  TIERS,
  /** All files of a type into one, at any cost. */
  ALL
}
