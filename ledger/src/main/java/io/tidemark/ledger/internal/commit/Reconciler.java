// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.state.TypeStates;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Committed;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.store.Outbox;
import java.util.Optional;

/** Commits what sessions assert, knowing what the types they write to look like. */
public final class Reconciler {

  private final CommitProtocol protocol;
  private final TypeStates states;

  public Reconciler(CommitProtocol protocol, LedgerObjects objects, Chain chain) {
    this.protocol = protocol;
    this.states = new TypeStates(objects, chain);
  }

  /**
   * What goes with a commit beside its rows: what is said of it, and what it carries for others.
   */
  public record Words(ObjectNode metadata, Outbox outbox) {}

  /**
   * Commits what differs from what is there.
   *
   * @return the commit; empty when nothing differs, or the terms don't hold
   */
  public Optional<Committed> commit(
      IntentQueue queue, CurrentTypes types, Terms terms, Words words) {
    try (Reconciliation proposal = new Reconciliation(queue, types, states, terms, words)) {
      return protocol.commit(proposal);
    }
  }

  /** Asks the terms about a queue as of now; needs no lock, and changes nothing. */
  public void preview(IntentQueue queue, Terms terms) {
    protocol.commit(base -> Reconciliation.ask(terms, queue, states, base));
  }
}
