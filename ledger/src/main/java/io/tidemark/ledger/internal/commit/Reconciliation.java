// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.commit.Terms.Standing;
import io.tidemark.ledger.internal.parquet.RowWriter;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Digest;
import io.tidemark.ledger.internal.state.TypeState;
import io.tidemark.ledger.internal.state.TypeStates;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The proposal of a session: make what is asserted true, by as little as it takes. An identity that
 * isn't there is inserted, one whose payload differs gets a new version, one that is equal by value
 * is left alone, and what isn't mentioned doesn't change.
 */
final class Reconciliation implements Proposal, AutoCloseable {

  private final IntentQueue queue;
  private final CurrentTypes types;
  private final TypeStates states;
  private final Terms terms;
  private final Reconciler.Words words;
  private final DraftFiles files = new DraftFiles();

  /**
   * Prepares a proposal.
   *
   * @param types finds the current schema of each type of the queue
   */
  Reconciliation(
      IntentQueue queue,
      CurrentTypes types,
      TypeStates states,
      Terms terms,
      Reconciler.Words words) {
    this.queue = queue;
    this.types = types;
    this.states = states;
    this.terms = terms;
    this.words = words;
  }

  @Override
  public Optional<Draft> draft(Base base) {
    close(); // what was drafted on another base
    terms.start(base);
    List<Draft.Part> parts = new ArrayList<>();
    List<Delta> deltas = new ArrayList<>();
    for (TypeId type : queue.types()) {
      CurrentTypes.Current current = types.at(type, base);
      TypeState state = states.at(type, base);
      Delta delta = new Delta(state, base.nextCommitId());
      part(current, delta).ifPresent(parts::add);
      deltas.add(delta);
    }
    if (parts.isEmpty() || !terms.hold()) {
      return Optional.empty();
    }
    Runnable applied = () -> deltas.forEach(Delta::apply);
    return Optional.of(Draft.ofRows(parts, words, applied));
  }

  /** Asks the terms what a commit on this base would ask them, and drafts nothing. */
  static Optional<Draft> ask(Terms terms, IntentQueue queue, TypeStates states, Base base) {
    terms.start(base);
    for (TypeId type : queue.types()) {
      TypeState state = states.at(type, base);
      queue
          .packed(type)
          .forEachRemaining(
              fact -> {
                Digest identity = fact.identityDigest();
                Standing standing = Delta.standing(state, identity, fact.payloadDigest());
                terms.admits(type, () -> fact.identity(type), standing);
              });
    }
    return Optional.empty();
  }

  @Override
  public void catchUp(Base base) {
    queue.types().forEach(type -> states.at(type, base));
  }

  private Optional<Draft.Part> part(CurrentTypes.Current current, Delta delta) {
    TypeId type = current.schema().id();
    try (RowWriter writer = files.writer(current.schema(), queue.bytes())) {
      Iterator<PackedFact> facts = queue.packed(type);
      while (facts.hasNext()) {
        PackedFact fact = facts.next();
        if (delta.changes(type, fact, terms)) {
          writer.add(fact.row(delta.commitId(), current.versionId()));
        }
      }
      return delta.count() == 0
          ? Optional.empty()
          : Optional.of(new Draft.Part(type, writer.finish(), current.versionId()));
    }
  }

  /** Forgets its drafts. */
  @Override
  public void close() {
    files.close();
  }
}
