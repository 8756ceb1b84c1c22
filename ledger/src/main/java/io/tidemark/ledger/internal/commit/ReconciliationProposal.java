// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.commit.CommitCondition.RowMatch;
import io.tidemark.ledger.internal.parquet.RowWriter;
import io.tidemark.ledger.internal.state.Digest;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.state.TypeState;
import io.tidemark.ledger.internal.state.TypeStateCache;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Proposal of a session that makes its assertions true by a minimal change. A missing identity is
 * inserted, one whose payload differs gets a new version, one that is equal by value stays, and
 * rows without an assertion don't change.
 */
final class ReconciliationProposal implements Proposal, AutoCloseable {

  private final WriteBuffer queue;
  private final SchemaResolver types;
  private final TypeStateCache states;
  private final CommitCondition commitCondition;
  private final Reconciler.CommitAnnotations commitAnnotations;
  private final DraftFiles files = new DraftFiles();

  /**
   * Prepares a proposal.
   *
   * @param types resolves the current schema of each type of the queue
   */
  ReconciliationProposal(
      WriteBuffer queue,
      SchemaResolver types,
      TypeStateCache states,
      CommitCondition commitCondition,
      Reconciler.CommitAnnotations commitAnnotations) {
    this.queue = queue;
    this.types = types;
    this.states = states;
    this.commitCondition = commitCondition;
    this.commitAnnotations = commitAnnotations;
  }

  @Override
  public Optional<Draft> draft(PinnedHead pinnedHead) {
    close(); // the draft on another base
    commitCondition.start(pinnedHead);
    List<Draft.Part> parts = new ArrayList<>();
    List<TypeChanges> deltas = new ArrayList<>();
    for (TypeId type : queue.types()) {
      SchemaResolver.CurrentSchema currentSchema = types.at(type, pinnedHead);
      TypeState state = states.at(type, pinnedHead);
      TypeChanges typeChanges = new TypeChanges(state, pinnedHead.nextCommitId());
      part(currentSchema, typeChanges).ifPresent(parts::add);
      deltas.add(typeChanges);
    }
    if (parts.isEmpty() || !commitCondition.isMet()) {
      return Optional.empty();
    }
    Runnable applied = () -> deltas.forEach(TypeChanges::apply);
    return Optional.of(Draft.ofRows(parts, commitAnnotations, applied));
  }

  /** Evaluates the condition as a commit on this base would, and drafts nothing. */
  static Optional<Draft> ask(
      CommitCondition commitCondition,
      WriteBuffer queue,
      TypeStateCache states,
      PinnedHead pinnedHead) {
    commitCondition.start(pinnedHead);
    for (TypeId type : queue.types()) {
      TypeState state = states.at(type, pinnedHead);
      queue
          .packed(type)
          .forEachRemaining(
              fact -> {
                Digest identity = fact.identityDigest();
                RowMatch rowMatch = TypeChanges.match(state, identity, fact.payloadDigest());
                commitCondition.admits(type, () -> fact.identity(type), rowMatch);
              });
    }
    return Optional.empty();
  }

  @Override
  public void catchUp(PinnedHead pinnedHead) {
    queue.types().forEach(type -> states.at(type, pinnedHead));
  }

  private Optional<Draft.Part> part(
      SchemaResolver.CurrentSchema currentSchema, TypeChanges typeChanges) {
    TypeId type = currentSchema.schema().id();
    try (RowWriter writer = files.writer(currentSchema.schema(), queue.bytes())) {
      Iterator<PackedFact> facts = queue.packed(type);
      while (facts.hasNext()) {
        PackedFact fact = facts.next();
        if (typeChanges.changes(type, fact, commitCondition)) {
          writer.add(fact.row(typeChanges.commitId(), currentSchema.versionId()));
        }
      }
      return typeChanges.count() == 0
          ? Optional.empty()
          : Optional.of(new Draft.Part(type, writer.finish(), currentSchema.versionId()));
    }
  }

  /** Discards its drafts. */
  @Override
  public void close() {
    files.close();
  }
}
