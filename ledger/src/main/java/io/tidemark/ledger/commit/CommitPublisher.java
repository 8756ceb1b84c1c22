// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.store.BranchName;
import java.util.Optional;

/** Tells the world that a ledger has moved. Called after the fact, so it may fail and lag. */
@FunctionalInterface
public interface CommitPublisher {

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

  /**
   * A commit that was told of.
   *
   * @param commitId 0 when there was none yet
   * @param manifestId what was said to be the content id of its manifest, if anything was
   */
  record PublishedCommit(long commitId, Optional<String> manifestId) {}

  /**
   * The newest commit of a branch of the ledger that was told of, by whomever, as can be found out
   * now; empty when nobody keeps that. May fail.
   */
  default Optional<PublishedCommit> latest(BranchName branch) {
    return Optional.empty();
  }

  /**
   * Takes back that there are newer commits than this one, or another of its number, as may have
   * been told of a ledger that was in its place before.
   *
   * @param manifestId the content id of its manifest; empty when there is no commit
   */
  default void rewind(long commitId, Optional<String> manifestId) {}

  /** For ledgers that have no name. */
  static CommitPublisher none() {
    return (commitId, manifestId) -> {};
  }
}
