// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.branch.MergeOutcome.FastForward;
import io.tidemark.ledger.internal.branch.MergeOutcome.Merged;
import io.tidemark.ledger.internal.branch.MergeOutcome.UpToDate;
import io.tidemark.ledger.internal.commit.CurrentTypes;
import io.tidemark.ledger.internal.commit.Draft;
import io.tidemark.ledger.internal.commit.DraftFiles;
import io.tidemark.ledger.internal.commit.Proposal;
import io.tidemark.ledger.internal.state.Base;
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
 * The proposal of a merge. Which kind it is, and what it writes, is found anew for each head of the
 * target that it is asked about; the source is taken as it is at that moment.
 */
final class MergeProposal implements Proposal, AutoCloseable {

  private final Merge.Target target;
  private final BranchName source;
  private final Resolution resolution;
  private final ObjectNode metadata;
  private final RowsRead read;
  private final DraftFiles files = new DraftFiles();
  private final List<TypeId> missing = new ArrayList<>();
  private @Nullable Sides sides;
  private @Nullable MergeOutcome outcome;

  MergeProposal(
      Merge.Target target,
      BranchName source,
      Resolution resolution,
      ObjectNode metadata,
      RowsRead read) {
    this.target = target;
    this.source = source;
    this.resolution = resolution;
    this.metadata = metadata;
    this.read = read;
  }

  /** What was found last. */
  MergeOutcome outcome() {
    return asked(outcome);
  }

  /** What that was found of. */
  Sides sides() {
    return asked(sides);
  }

  private static <T> T asked(@Nullable T found) {
    if (found == null) {
      throw new IllegalStateException("nobody has asked yet");
    }
    return found;
  }

  /** Types that the target has to be given before. */
  List<TypeId> missing() {
    return missing;
  }

  /** Looks what it would come to. */
  MergeOutcome look(Base base) {
    Sides now = Sides.look(target, source, base);
    return now.unlessGone(
        () -> {
          try (MergeScan scan = now.scan(resolution, read)) {
            return find(now, scan);
          }
        });
  }

  @Override
  public Optional<Draft> draft(Base base) {
    files.close(); // what was drafted on another base
    Sides now = Sides.look(target, source, base);
    return now.unlessGone(() -> draft(now));
  }

  private Optional<Draft> draft(Sides now) {
    try (MergeScan scan = now.scan(resolution, read)) {
      MergeOutcome found = find(now, scan);
      if (!missing.isEmpty()) {
        return Optional.empty();
      }
      if (found instanceof FastForward) {
        return Optional.of(now.onward().draft());
      }
      return found instanceof Merged ? Optional.of(commit(now, scan)) : Optional.empty();
    }
  }

  private MergeOutcome find(Sides now, MergeScan scan) {
    missing.clear();
    MergeOutcome found;
    if (now.isUpToDate()) {
      found = new UpToDate(now.their().commitId(), now.our().commitId());
    } else if (now.isForward()) {
      Onward onward = now.onward();
      onward.requireNoContradiction();
      missing.addAll(onward.missing());
      found = new FastForward(now.their().commitId(), now.our().commitId());
    } else {
      found = merged(now, scan);
    }
    sides = now;
    outcome = found;
    return found;
  }

  private MergeOutcome merged(Sides now, MergeScan scan) {
    List<Link> bases = now.bases();
    if (bases.isEmpty()) {
      throw new BranchRefusedException(
          source + " and " + target.objects().branch() + " have no commit in common");
    }
    TypesAgree agree = new TypesAgree(now, bases);
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

  private Draft commit(Sides now, MergeScan scan) {
    List<Draft.Part> parts = new ArrayList<>();
    for (TypeId type : scan.queue().types()) {
      SchemaVersion version =
          now.types()
              .targetVersion(type, now.ours())
              .orElseThrow(() -> new IllegalStateException("it was entered: " + type));
      TypeSchema schema = StoredSchema.parse(version.schemaJson()).schema();
      CurrentTypes.Current current = new CurrentTypes.Current(schema, version.id());
      parts.add(files.part(scan.queue(), current, now.ours().nextCommitId()));
    }
    ObjectNode said =
        metadata
            .deepCopy()
            .put("operation", "merge")
            .put("source", source.text())
            .put("source_commit", now.their().commitId());
    return Draft.ofMerge(parts, said, now.ancestry().merged(now.our(), now.their()));
  }

  /** Nothing that the head doesn't vouch for has changed: the source, and types without rows. */
  @Override
  public void confirm() {
    if (outcome() instanceof FastForward) {
      sides().unlessGone(sides().onward()::requireNoContradiction);
    }
    sides().requireSource();
  }

  @Override
  public void close() {
    files.close();
  }
}
