// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/** Result of a push. A conflict is an outcome to go on from, not an error. */
public sealed interface PushResult {

  /**
   * The concern has moved.
   *
   * @param now its new state
   */
  record Updated(ConcernValue now) implements PushResult {}

  /**
   * The concern wasn't what the caller expected, or the push wouldn't have moved it forward;
   * nothing was changed.
   *
   * @param actual its state; empty when there is no such record
   */
  record Conflict(Optional<ConcernValue> actual) implements PushResult {}

  /** Returns whether the concern has moved. */
  default boolean updated() {
    return this instanceof Updated;
  }
}
