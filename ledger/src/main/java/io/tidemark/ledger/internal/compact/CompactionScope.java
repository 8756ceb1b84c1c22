// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

/** How much is merged. */
public enum CompactionScope {
  /** Files of about the same size, once there are eight of them: what goes on by itself. */
  FULL_TIERS,
  /** Files of about the same size, be they only two. Large files stay as they are. */
  TIERS,
  /** All files of a type into one, whatever that costs. */
  ALL
}
