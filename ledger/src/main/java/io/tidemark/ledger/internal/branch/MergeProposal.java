// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.branch.MergeOutcome.FastForward;
import io.tidemark.ledger.internal.branch.MergeOutcome.Merged;
import io.tidemark.ledger.internal.branch.MergeOutcome.UpToDate;
import io.tidemark.ledger.internal.commit.Draft;
import io.tidemark.ledger.internal.commit.DraftFiles;
import io.tidemark.ledger.internal.commit.Proposal;
import io.tidemark.ledger.internal.commit.SchemaResolver;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.SchemaVersion;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Proposal of a merge. Its kind and its rows are computed anew for each head of the target that it
 * is drafted on, with the source as it is at that moment.
 */
final class MergeProposal implements Proposal, AutoCloseable {

  private final BranchMerge.Target target;
  private final BranchName source;
  private final ConflictResolution conflictResolution;
  private final ObjectNode metadata;
  private final ReadProgress read;
  private final DraftFiles files = new DraftFiles();
  private final List<TypeId> missing = new ArrayList<>();
  private @Nullable MergeInputs mergeInputs;
  private @Nullable MergeOutcome outcome;

  MergeProposal(
      BranchMerge.Target target,
      BranchName source,
      ConflictResolution conflictResolution,
      ObjectNode metadata,
      ReadProgress read) {
    this.target = target;
    this.source = source;
    this.conflictResolution = conflictResolution;
    this.metadata = metadata;
    this.read = read;
  }

  /** Returns the last outcome. */
  MergeOutcome outcome() {
    return asked(outcome);
  }

  /** Returns the inputs of the last outcome. */
  MergeInputs sides() {
    return asked(mergeInputs);
  }

  private static <T> T asked(@Nullable T found) {
    if (found == null) {
      throw new IllegalStateException("nobody has asked yet");
    }
    return found;
  }

  /** Returns types that have to be registered on the target before. */
  List<TypeId> missing() {
    return missing;
  }

  /** Computes the outcome. */
  MergeOutcome evaluate(PinnedHead pinnedHead) {
    MergeInputs now = MergeInputs.read(target, source, pinnedHead);
    return now.reportingDroppedSource(
        () -> {
          try (MergeScan scan = now.scan(conflictResolution, read)) {
            return find(now, scan);
          }
        });
  }

  @Override
  public Optional<Draft> draft(PinnedHead pinnedHead) {
    files.close(); // the draft on another base
    MergeInputs now = MergeInputs.read(target, source, pinnedHead);
    return now.reportingDroppedSource(() -> draft(now));
  }

  private Optional<Draft> draft(MergeInputs now) {
    try (MergeScan scan = now.scan(conflictResolution, read)) {
      MergeOutcome found = find(now, scan);
      if (!missing.isEmpty()) {
        return Optional.empty();
      }
      if (found instanceof FastForward) {
        return Optional.of(now.fastForward().draft());
      }
      return found instanceof Merged ? Optional.of(commit(now, scan)) : Optional.empty();
    }
  }

  private MergeOutcome find(MergeInputs now, MergeScan scan) {
    missing.clear();
    MergeOutcome found;
    if (now.isUpToDate()) {
      found = new UpToDate(now.their().commitId(), now.our().commitId());
    } else if (now.isFastForward()) {
      HeadFastForward headFastForward = now.fastForward();
      headFastForward.requireNoContradiction();
      missing.addAll(headFastForward.missingTypes());
      found = new FastForward(now.their().commitId(), now.our().commitId());
    } else {
      found = merged(now, scan);
    }
    mergeInputs = now;
    outcome = found;
    return found;
  }

  private MergeOutcome merged(MergeInputs now, MergeScan scan) {
    List<Link> bases = now.bases();
    if (bases.isEmpty()) {
      throw new BranchRefusedException(
          source + " and " + target.objects().branch() + " have no commit in common");
    }
    MergeSchemaCheck agree = new MergeSchemaCheck(now, bases);
    for (TypeId type : scan.types()) {
      agree.requireNotDropped(type);
      scan.run(
          type,
          () -> {
            agree.requireSameSchema(type);
            if (now.types().targetVersion(type, now.ours()).isEmpty()) {
              missing.add(type);
            }
          });
    }
    long base = bases.get(0).commitId();
    Optional<MergeOutcome> conflicted = scan.conflicted(base).map(found -> found);
    if (conflicted.isPresent()) {
      missing.clear();
    }
    return conflicted.orElseGet(
        () -> new Merged(now.their().commitId(), base, scan.counts(), Optional.empty()));
  }

  private Draft commit(MergeInputs now, MergeScan scan) {
    List<Draft.Part> parts = new ArrayList<>();
    for (TypeId type : scan.queue().types()) {
      SchemaVersion version =
          now.types()
              .targetVersion(type, now.ours())
              .orElseThrow(() -> new IllegalStateException("it was entered: " + type));
      TypeSchema schema = StoredSchema.parse(version.schemaJson()).schema();
      SchemaResolver.CurrentSchema currentSchema =
          new SchemaResolver.CurrentSchema(schema, version.id());
      parts.add(files.part(scan.queue(), currentSchema, now.ours().nextCommitId()));
    }
    ObjectNode said =
        metadata
            .deepCopy()
            .put("operation", "merge")
            .put("source", source.text())
            .put("source_commit", now.their().commitId());
    return Draft.ofMerge(parts, said, now.ancestry().merged(now.our(), now.their()));
  }

  /**
   * Fails if something that the head doesn't cover has changed: the source, and types without rows.
   */
  @Override
  public void confirm() {
    if (outcome() instanceof FastForward) {
      sides().reportingDroppedSource(sides().fastForward()::requireNoContradiction);
    }
    sides().requireSource();
  }

  @Override
  public void close() {
    files.close();
  }
}
