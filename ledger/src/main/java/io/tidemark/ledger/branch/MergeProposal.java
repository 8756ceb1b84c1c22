// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.branch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.branch.MergeOutcome.FastForward;
import io.tidemark.ledger.branch.MergeOutcome.Merged;
import io.tidemark.ledger.branch.MergeOutcome.UpToDate;
import io.tidemark.ledger.commit.Adoption;
import io.tidemark.ledger.commit.Base;
import io.tidemark.ledger.commit.Committed;
import io.tidemark.ledger.commit.CurrentTypes;
import io.tidemark.ledger.commit.Draft;
import io.tidemark.ledger.commit.DraftFiles;
import io.tidemark.ledger.commit.Proposal;
import io.tidemark.ledger.schema.StoredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.Chain;
import io.tidemark.ledger.store.Head;
import io.tidemark.ledger.store.LedgerObjects;
import io.tidemark.ledger.store.Manifest.Link;
import io.tidemark.ledger.store.SchemaVersion;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proposal of a merge. Which kind it is, and what it writes, is found anew for each head of the
 * target that it is asked about; the source is taken as it is at that moment.
 */
final class MergeProposal implements Proposal, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MergeProposal.class);

  private final Merge.Target target;
  private final LedgerObjects sourceObjects;
  private final Chain chain;
  private final Ancestry ancestry;
  private final Resolution resolution;
  private final ObjectNode metadata;
  private final DraftFiles files = new DraftFiles();
  private final List<TypeId> missing = new ArrayList<>();
  private @Nullable Pair pair;
  private @Nullable MergeOutcome outcome;

  /** The two branches as they were last looked at. */
  private record Pair(Base target, Base source, Link ours, Link theirs) {}

  MergeProposal(
      Merge.Target target, BranchName source, Resolution resolution, ObjectNode metadata) {
    this.target = target;
    this.sourceObjects = target.objects().on(source);
    this.chain = target.chain();
    this.ancestry = new Ancestry(chain);
    this.resolution = resolution;
    this.metadata = metadata;
  }

  /** What was found last. */
  MergeOutcome outcome() {
    if (outcome == null) {
      throw new IllegalStateException("nobody has asked yet");
    }
    return outcome;
  }

  /** Types that the target has to be given before. */
  List<TypeId> missing() {
    return missing;
  }

  List<TypeSchema> missingSchemas() {
    return missing.stream()
        .flatMap(type -> target.types().sourceSchema(type, pair().source()).stream())
        .toList();
  }

  boolean enterMissing(Base base) {
    target.types().enter(target.types().missing(base, pair().source()), pair().source());
    return true;
  }

  private Pair pair() {
    if (pair == null) {
      throw new IllegalStateException("nobody has asked yet");
    }
    return pair;
  }

  /** Looks what it would come to. */
  MergeOutcome look(Base base) {
    try (MergeScan scan = scan(pair(base))) {
      return find(scan);
    }
  }

  @Override
  public Optional<Draft> draft(Base base) {
    files.close(); // what was drafted on another base
    Pair now = pair(base);
    try (MergeScan scan = scan(now)) {
      MergeOutcome found = find(scan);
      if (!missing.isEmpty()) {
        return Optional.empty();
      }
      if (found instanceof FastForward) {
        return Optional.of(forward(now));
      }
      return found instanceof Merged ? Optional.of(commit(now, scan)) : Optional.empty();
    }
  }

  private Pair pair(Base base) {
    Head.Versioned head =
        Head.read(sourceObjects)
            .orElseThrow(
                () ->
                    new UnknownBranchException(
                        sourceObjects.branch().text(), target.objects().location()));
    Link theirs = head.head().tip().orElseThrow(this::empty);
    Link ours = base.head().tip().orElseThrow(this::empty);
    Base source = new Base(head, Optional.of(Adoption.of(chain, chain.at(theirs))));
    pair = new Pair(base, source, ours, theirs);
    return pair;
  }

  private BranchRefusedException empty() {
    return new BranchRefusedException(
        "one of "
            + sourceObjects.branch()
            + " and "
            + target.objects().branch()
            + " has no commit");
  }

  private MergeScan scan(Pair now) {
    List<State> bases = new ArrayList<>();
    for (Link base : ancestry.bases(now.ours(), now.theirs())) {
      boolean isOfTarget = new Lineage(chain, now.ours()).contains(base);
      bases.add(
          isOfTarget
              ? new State(target.objects(), chain, now.target().head(), base)
              : new State(sourceObjects, chain, now.source().head(), base));
    }
    return new MergeScan(
        bases,
        new State(target.objects(), chain, now.target().head(), now.ours()),
        new State(sourceObjects, chain, now.source().head(), now.theirs()),
        resolution);
  }

  private MergeOutcome find(MergeScan scan) {
    Pair now = pair();
    missing.clear();
    long source = now.theirs().commitId();
    if (ancestry.includes(now.ours(), now.theirs())) {
      outcome = new UpToDate(source, now.ours().commitId());
    } else if (new Lineage(chain, now.theirs()).contains(now.ours())) {
      requireNoContradiction(now);
      missing.addAll(target.types().missing(now.target(), now.source()));
      outcome = new FastForward(source, now.ours().commitId());
    } else {
      outcome = merged(scan, now);
    }
    return outcome;
  }

  private void requireNoContradiction(Pair now) {
    List<TypeId> types = target.types().contradictions(now.target(), now.source());
    if (!types.isEmpty()) {
      throw new SchemasDifferException(
          "the branches have declared "
              + types
              + " with different schemas, "
              + target.objects().branch()
              + " without rows");
    }
  }

  private MergeOutcome merged(MergeScan scan, Pair now) {
    List<Link> bases = ancestry.bases(now.ours(), now.theirs());
    if (bases.isEmpty()) {
      throw new BranchRefusedException(
          sourceObjects.branch()
              + " and "
              + target.objects().branch()
              + " have no commit in common");
    }
    TypesAgree agree = new TypesAgree(target, sourceObjects.branch(), ancestry, bases);
    for (TypeId type : scan.types()) {
      agree.requireNotDropped(type, now.target(), now.source());
      scan.run(
          type,
          () -> {
            agree.require(type, now.target(), now.source());
            if (target.types().targetVersion(type, now.target()).isEmpty()) {
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
        () -> new Merged(now.theirs().commitId(), base, scan.counts(), Optional.empty()));
  }

  /** The documents follow the head, and mustn't fail what has happened. */
  private Draft forward(Pair now) {
    Committed commit = new Committed(chain.at(now.theirs()), now.theirs().path());
    return Draft.forward(
        commit,
        () -> {
          try {
            Base moved = new Base(now.target().versioned(), now.source().newest());
            target.types().follow(moved, now.source());
          } catch (TidemarkException e) {
            LOG.warn("the catalog doesn't show what was merged yet, and will: {}", e.getMessage());
          }
        });
  }

  private Draft commit(Pair now, MergeScan scan) {
    List<Draft.Part> parts = new ArrayList<>();
    for (TypeId type : scan.queue().types()) {
      SchemaVersion version =
          target
              .types()
              .targetVersion(type, now.target())
              .orElseThrow(() -> new IllegalStateException("it was entered: " + type));
      TypeSchema schema = StoredSchema.parse(version.schemaJson()).schema();
      CurrentTypes.Current current = new CurrentTypes.Current(schema, version.id());
      parts.add(files.part(scan.queue(), current, now.target().nextCommitId()));
    }
    ObjectNode said =
        metadata
            .deepCopy()
            .put("operation", "merge")
            .put("source", sourceObjects.branch().text())
            .put("source_commit", now.theirs().commitId());
    return Draft.merging(parts, said, ancestry.merged(now.ours(), now.theirs()));
  }

  /**
   * The source is still there, so that its commits stay for as long as it takes to refer to them;
   * and no type has been declared that contradicts them.
   */
  @Override
  public void confirm() {
    Pair now = pair();
    Optional<Head> head = Head.read(sourceObjects).map(Head.Versioned::head);
    if (head.filter(found -> found.epoch().equals(now.source().head().epoch())).isEmpty()) {
      throw new UnknownBranchException(sourceObjects.branch().text(), target.objects().location());
    }
    if (outcome() instanceof FastForward) {
      requireNoContradiction(now);
    }
  }

  @Override
  public void close() {
    files.close();
  }
}
