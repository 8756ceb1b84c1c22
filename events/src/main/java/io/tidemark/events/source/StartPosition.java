// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

/** Start of a source that has no stored position. */
public enum StartPosition {
  /** All existing changes: of a branch, those after its creation. */
  OLDEST,
  /** Only new changes. */
  NEWEST
}
