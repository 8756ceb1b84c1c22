// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Committed;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.Layout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.objects.Condition;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.Written;
import java.util.Optional;

/**
 * The one step that makes a commit real, and finding out whether it was taken when the answer
 * doesn't say: a commit whose manifest is in the chain happened, since nobody else uses its path.
 */
record HeadMove(LedgerObjects objects, Chain chain, Heads heads) {

  /**
   * Replaces the head that a commit is based on.
   *
   * @return the head as it is then, which others may have moved on; empty when they were faster
   * @throws OutcomeUnknownException when it can't be found out
   */
  Optional<Head.Versioned> run(Base base, ObjectNode next, Committed committed) {
    try {
      WriteResult result =
          objects.write(Layout.HEAD, next, Condition.ifMatch(base.versioned().etag()));
      if (result instanceof Written written) {
        return Optional.of(Head.parse(objects, new LedgerObjects.Document(next, written.etag())));
      }
    } catch (OutcomeUnknownException e) {
      return foundInChain(committed).or(() -> unknownUnlessSurpassed(base, e));
    }
    return foundInChain(committed);
  }

  /** The head as it is now, if our commit is behind it. */
  private Optional<Head.Versioned> foundInChain(Committed committed) {
    try {
      Base now = heads.refresh();
      long id = committed.manifest().commitId();
      boolean ours =
          now.newest().isPresent()
              && now.head().commitId() >= id
              && pathOf(now, id).equals(committed.path());
      return ours ? Optional.of(now.versioned()) : Optional.empty();
    } catch (UninitializedLedgerException e) {
      throw e; // the branch is gone, and with it the commit, whether or not it took place
    } catch (TidemarkException e) {
      throw new OutcomeUnknownException(
          "commit "
              + committed.manifest().commitId()
              + " of the ledger in "
              + objects.location()
              + " may or may not have taken place: the answer to the write of the head was lost, and"
              + " the head can't be read ("
              + e.getMessage()
              + "); commit again, which finds nothing to do if it did",
          e);
    }
  }

  private String pathOf(Base now, long commitId) {
    if (now.head().commitId() == commitId) {
      return now.head().manifestPath().orElseThrow();
    }
    Manifest child = chain.find(now.newest().orElseThrow(), commitId + 1);
    return child.parent().orElseThrow().path();
  }

  /** A head that has moved on without our commit will never have it; otherwise it may yet. */
  private Optional<Head.Versioned> unknownUnlessSurpassed(Base base, OutcomeUnknownException e) {
    if (heads.known().versioned().etag().equals(base.versioned().etag())) {
      throw e;
    }
    return Optional.empty();
  }
}
