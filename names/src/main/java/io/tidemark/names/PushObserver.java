// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

/** Observer of each push. */
@FunctionalInterface
public interface PushObserver {

  /** Outcome of the push. */
  enum Result {
    UPDATED,
    CONFLICT,
    /** There was nothing to push to, or no answer. */
    FAILED
  }

  /** Must be quick and not fail. */
  void onPush(Concern concern, Result result);
}
