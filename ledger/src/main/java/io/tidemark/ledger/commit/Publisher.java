// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.store.TypeIndex;

/** Tells the world that a ledger has moved. Called after the fact, so it may fail and lag. */
@FunctionalInterface
public interface Publisher {

  /**
   * Says what the newest commit is.
   *
   * @param manifestId the content id of its manifest
   */
  void publish(long commitId, String manifestId);

  /**
   * Whether a commit is known not to have been told of, by whoever made it. Costs no request, and
   * is asked by any thread.
   */
  default boolean isBehind(long commitId) {
    return false;
  }

  /** Says that the index of a type has been brought up to a commit, before that is published. */
  default void indexed(TypeIndex index) {}

  /** For ledgers that have no name. */
  static Publisher none() {
    return (commitId, manifestId) -> {};
  }
}
