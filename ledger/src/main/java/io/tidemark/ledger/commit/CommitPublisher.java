// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.store.BranchName;
import java.util.Optional;

/** Publisher of new commits to other processes. Called after the fact, so it may fail and lag. */
@FunctionalInterface
public interface CommitPublisher {

  /**
   * Publishes the newest commit.
   *
   * @param manifestId the content id of its manifest
   */
  void publish(long commitId, String manifestId);

  /**
   * Returns whether a commit is known to be unpublished by its writer. Costs no request, and may be
   * called by any thread.
   */
  default boolean isBehind(long commitId) {
    return false;
  }

  /**
   * Commit that was published.
   *
   * @param commitId number of the commit; 0 when there was none yet
   * @param manifestId the published content id of its manifest, if there is one
   */
  record PublishedCommit(long commitId, Optional<String> manifestId) {}

  /**
   * Returns the newest published commit of a branch of the ledger, by any writer, as far as can be
   * determined now; empty if no record of it is kept. May fail.
   */
  default Optional<PublishedCommit> latest(BranchName branch) {
    return Optional.empty();
  }

  /**
   * Withdraws publications of newer commits than this one, or of another commit of its number. They
   * may come from a ledger that was in its place before.
   *
   * @param manifestId the content id of its manifest; empty when there is no commit
   */
  default void rewind(long commitId, Optional<String> manifestId) {}

  /** Returns the publisher for ledgers that have no name. */
  static CommitPublisher none() {
    return (commitId, manifestId) -> {};
  }
}
