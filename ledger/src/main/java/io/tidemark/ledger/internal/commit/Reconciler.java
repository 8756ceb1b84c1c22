// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.state.TypeStateCache;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.store.Outbox;
import java.util.Optional;

/**
 * Reconciler of sessions' assertions with the ledger, with knowledge of the states of their types.
 */
public final class Reconciler {

  private final CommitProtocol protocol;
  private final TypeStateCache states;

  public Reconciler(CommitProtocol protocol, LedgerObjects objects, ManifestChain manifestChain) {
    this.protocol = protocol;
    this.states = new TypeStateCache(objects, manifestChain);
  }

  /** Annotations of a commit beside its rows: its metadata and its outbox. */
  public record CommitAnnotations(ObjectNode metadata, Outbox outbox) {}

  /**
   * Commits the assertions that differ from the stored rows.
   *
   * @return the commit; empty when nothing differs, or the condition doesn't hold
   */
  public Optional<CommittedManifest> commit(
      WriteBuffer queue,
      SchemaResolver types,
      CommitCondition commitCondition,
      CommitAnnotations commitAnnotations) {
    try (ReconciliationProposal proposal =
        new ReconciliationProposal(queue, types, states, commitCondition, commitAnnotations)) {
      return protocol.commit(proposal);
    }
  }

  /** Evaluates the condition for a queue as of now; needs no lock, and changes nothing. */
  public void preview(WriteBuffer queue, CommitCondition commitCondition) {
    protocol.commit(
        pinnedHead -> ReconciliationProposal.ask(commitCondition, queue, states, pinnedHead));
  }
}
