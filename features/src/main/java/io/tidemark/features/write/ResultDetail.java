// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

/** Detail of the results of a write. */
public enum ResultDetail {
  /** The new state of each feature, also of the deleted ones. */
  STATES,
  /** No states of deleted features, which would have to be read back. */
  BRIEF
}
