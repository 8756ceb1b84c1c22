// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.objects.Condition;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.Written;
import java.util.Optional;

/**
 * Update of the head, the one step that makes a commit real. It also finds out whether the update
 * took place when the answer is unclear: a commit whose manifest is in the chain happened, since no
 * other attempt uses its path.
 */
record HeadUpdate(LedgerObjects objects, ManifestChain chain, HeadCache heads) {

  /**
   * Replaces the head that a commit is based on.
   *
   * @return the head as it is then, which other writers may have moved on; empty when they were
   *     faster
   * @throws OutcomeUnknownException when the outcome can't be determined
   */
  Optional<Head.Versioned> apply(
      PinnedHead pinnedHead, ObjectNode next, CommittedManifest committedManifest) {
    try {
      WriteResult result =
          objects.write(LedgerLayout.HEAD, next, Condition.ifMatch(pinnedHead.versioned().etag()));
      if (result instanceof Written written) {
        return Optional.of(Head.parse(objects, new LedgerObjects.Document(next, written.etag())));
      }
    } catch (OutcomeUnknownException e) {
      return foundInChain(committedManifest).or(() -> unknownUnlessSurpassed(pinnedHead, e));
    }
    return foundInChain(committedManifest);
  }

  /** Returns the current head, if our commit is in its chain. */
  private Optional<Head.Versioned> foundInChain(CommittedManifest committedManifest) {
    try {
      PinnedHead now = heads.refresh();
      long id = committedManifest.manifest().commitId();
      boolean ours =
          now.newest().isPresent()
              && now.head().commitId() >= id
              && pathOf(now, id).equals(committedManifest.path());
      return ours ? Optional.of(now.versioned()) : Optional.empty();
    } catch (UninitializedLedgerException e) {
      throw e; // the branch is gone, and with it the commit, whether or not it took place
    } catch (TidemarkException e) {
      throw new OutcomeUnknownException(
          "commit "
              + committedManifest.manifest().commitId()
              + " of the ledger in "
              + objects.location()
              + " may or may not have taken place: the answer to the write of the head was lost, and"
              + " the head can't be read ("
              + e.getMessage()
              + "); commit again, which finds nothing to do if it did",
          e);
    }
  }

  private String pathOf(PinnedHead now, long commitId) {
    if (now.head().commitId() == commitId) {
      return now.head().manifestPath().orElseThrow();
    }
    Manifest child = chain.find(now.newest().orElseThrow(), commitId + 1);
    return child.parent().orElseThrow().path();
  }

  /**
   * Returns empty if the head has moved on without our commit, and so will never include it;
   * otherwise throws the exception, since it may yet.
   */
  private Optional<Head.Versioned> unknownUnlessSurpassed(
      PinnedHead pinnedHead, OutcomeUnknownException e) {
    if (heads.known().versioned().etag().equals(pinnedHead.versioned().etag())) {
      throw e;
    }
    return Optional.empty();
  }
}
