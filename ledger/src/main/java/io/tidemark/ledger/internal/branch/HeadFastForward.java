// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.catalog.CatalogMerge;
import io.tidemark.ledger.internal.catalog.CatalogMerge.SourceTypes;
import io.tidemark.ledger.internal.commit.Draft;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fast-forward of a branch's head to a commit that follows it, together with the types that are
 * new, migrated or dropped.
 *
 * @param chain chain of the target, which has the commit
 * @param types types of the target, and of the source of the commit
 */
record HeadFastForward(
    ManifestChain chain,
    BranchName target,
    CatalogMerge types,
    PinnedHead ours,
    PinnedHead theirs) {

  private static final Logger LOG = LoggerFactory.getLogger(HeadFastForward.class);
  private static final int TRIES = 3;

  /**
   * Returns types of the source that the target doesn't have; they are registered before the head
   * moves.
   */
  List<TypeId> missingTypes() {
    return types.missing(ours, theirs);
  }

  /** Registers the types that the target, as it is by now, doesn't have, under its lock. */
  boolean registerMissingTypes(PinnedHead now) {
    types.register(types.missing(now, theirs), theirs);
    return true;
  }

  /** Returns true, or fails. */
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

  /** Returns the draft. The documents follow the head, and mustn't fail the completed move. */
  Draft draft() {
    Link tip = theirs.head().tip().orElseThrow();
    SourceTypes sourceTypes = types.sourceTypes(theirs);
    return new Draft.FastForward(
        new CommittedManifest(chain.at(tip), tip.path()), () -> tryUpdateDocuments(sourceTypes));
  }

  private void tryUpdateDocuments(SourceTypes sourceTypes) {
    for (int i = 1; i <= TRIES; i++) {
      try {
        updateDocuments(sourceTypes);
        return;
      } catch (TidemarkException e) { // another process declares types now, for example
        LOG.warn(
            "the catalog doesn't show what the head moved to yet ({} of {} tries), and will: {}",
            i,
            TRIES,
            e.getMessage());
      }
    }
  }

  /** Updates the documents of the target after its head has moved to that of the source. */
  void updateDocuments() {
    updateDocuments(types.sourceTypes(theirs));
  }

  private void updateDocuments(SourceTypes sourceTypes) {
    types.updateDocuments(new PinnedHead(ours.versioned(), theirs.newest()), sourceTypes);
  }
}
