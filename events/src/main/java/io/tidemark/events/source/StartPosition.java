// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

/** Where a source begins that has never been looked at under its name. */
public enum StartPosition {
  /** With all there is: of a branch, what came after it was made. */
  OLDEST,
  /** With what comes from now on. */
  NEWEST
}
