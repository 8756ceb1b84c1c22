// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.catalog.BranchTypes;
import io.tidemark.ledger.internal.catalog.BranchTypes.Followed;
import io.tidemark.ledger.internal.commit.Draft;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Committed;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moving the head of a branch on to a commit that follows it, and what comes along: types that are
 * new, migrated or dropped.
 *
 * @param chain of the target, which has the commit
 * @param types of the target, and of where the commit comes from
 */
record Onward(Chain chain, BranchName target, BranchTypes types, Base ours, Base theirs) {

  private static final Logger LOG = LoggerFactory.getLogger(Onward.class);
  private static final int TRIES = 3;

  /** Types of the source that the target doesn't have; they are entered before the head moves. */
  List<TypeId> missing() {
    return types.missing(ours, theirs);
  }

  /** Enters the types that the target, as it is by now, doesn't have, under its lock. */
  boolean enterMissing(Base now) {
    types.enter(types.missing(now, theirs), theirs);
    return true;
  }

  /** True, or it fails. */
  boolean requireNoContradiction() {
    List<TypeId> different = types.contradictions(ours, theirs);
    if (!different.isEmpty()) {
      throw new SchemasDifferException(
          "the branches have declared "
              + different
              + " with different schemas, "
              + target
              + " without rows");
    }
    return true;
  }

  /** The documents follow the head, and mustn't fail what has happened. */
  Draft draft() {
    Link tip = theirs.head().tip().orElseThrow();
    Followed followed = types.followed(theirs);
    return new Draft.FastForward(
        new Committed(chain.at(tip), tip.path()), () -> followIfPossible(followed));
  }

  private void followIfPossible(Followed followed) {
    for (int i = 1; i <= TRIES; i++) {
      try {
        follow(followed);
        return;
      } catch (TidemarkException e) { // somebody declares types at the same time, for example
        LOG.warn(
            "the catalog doesn't show what the head moved to yet ({} of {} tries), and will: {}",
            i,
            TRIES,
            e.getMessage());
      }
    }
  }

  /** Makes the documents of the target follow its head, once that is where the source is. */
  void follow() {
    follow(types.followed(theirs));
  }

  private void follow(Followed followed) {
    types.follow(new Base(ours.versioned(), theirs.newest()), followed);
  }
}
