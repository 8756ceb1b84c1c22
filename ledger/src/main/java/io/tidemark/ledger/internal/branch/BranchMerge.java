// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.branch.MergeOutcome.Merged;
import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.catalog.SchemaValidator;
import io.tidemark.ledger.internal.commit.CommitProtocol;
import io.tidemark.ledger.internal.commit.Metadata;
import io.tidemark.ledger.internal.store.CommittedManifest;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Merge of the commits of one branch into another.
 *
 * <p>If the target has no commits of its own since the branches parted, it is fast-forwarded to the
 * head of the source. Otherwise each identity that the source changed since the merge base is
 * compared with the target, and the result becomes one commit. The commit records what it merged: a
 * later merge in either direction begins from there. The merge is computed on the very head that
 * the commit replaces, and again when another writer was faster.
 */
public final class BranchMerge {

  /** Maximum number of times that types are registered which the source gets during the merge. */
  private static final int TRIES = 5;

  private final Target target;
  private final BranchName source;
  private final ConflictResolution conflictResolution;
  private final LongConsumer read;

  /** Components of the target branch that a merge needs. */
  public record Target(
      LedgerObjects objects,
      ManifestChain chain,
      CommitProtocol protocol,
      Catalog catalog,
      SchemaValidator validated) {}

  public BranchMerge(Target target, BranchName source, ConflictResolution conflictResolution) {
    this(target, source, conflictResolution, rows -> {});
  }

  private BranchMerge(
      Target target, BranchName source, ConflictResolution conflictResolution, LongConsumer read) {
    this.target = target;
    this.source = source;
    this.conflictResolution = conflictResolution;
    this.read = read;
    if (source.equals(target.objects().branch())) {
      throw new BranchRefusedException(source + " can't be merged into itself; name another");
    }
  }

  /** Returns this merge with a listener for the number of rows read so far. */
  public BranchMerge withProgress(LongConsumer rows) {
    return new BranchMerge(target, source, conflictResolution, rows);
  }

  /** Returns the outcome that the merge would have now. */
  public MergeOutcome preview() {
    try (MergeProposal proposal = proposal(Metadata.of(Map.of(), Map.of()))) {
      return proposal.evaluate(target.protocol().base());
    }
  }

  /**
   * Merges the source into the target.
   *
   * @param metadata metadata of the commit, if there is one
   * @throws SchemasDifferException when a type has different schemas on the two branches
   * @throws BranchRefusedException when a type was dropped on one of them
   * @throws UnknownBranchException when there is no such branch
   */
  public MergeOutcome apply(Map<String, String> metadata) {
    try (MergeProposal proposal = proposal(Metadata.of(Map.of(), metadata))) {
      for (int i = 0; i < TRIES; i++) {
        Optional<CommittedManifest> committed = target.protocol().commit(proposal);
        if (proposal.missing().isEmpty()) {
          return done(proposal.outcome(), committed);
        }
        enter(proposal);
      }
    }
    throw new BranchRefusedException(
        source + " got new types each of " + TRIES + " times; merge it when it is at rest");
  }

  private MergeProposal proposal(ObjectNode metadata) {
    return new MergeProposal(target, source, conflictResolution, metadata, new ReadProgress(read));
  }

  private static MergeOutcome done(MergeOutcome outcome, Optional<CommittedManifest> committed) {
    return outcome instanceof Merged merged
        ? new Merged(
            merged.source(),
            merged.base(),
            merged.counts(),
            committed.map(commit -> commit.manifest().commitId()))
        : outcome;
  }

  /**
   * Registers types under the lock, each before its first row; a crash leaves at worst a type
   * without rows.
   */
  private void enter(MergeProposal proposal) {
    if (proposal.outcome() instanceof MergeOutcome.FastForward) {
      target.protocol().underLock(proposal.sides().fastForward()::registerMissingTypes);
    } else {
      target.validated().validate(proposal.sides().schemas(proposal.missing()));
    }
  }
}
