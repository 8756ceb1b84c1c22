// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.state.LatestVersionSet;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.UnknownCommitException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Difference of two states of a ledger, on any branches: the changes that lead from the first to
 * the second.
 *
 * <p>Only identities can differ that were written on either side since the last commit that both
 * have. So of each type that was touched since, these commits are read twice: once to learn which
 * version of an identity is its last, some 60 bytes each, and once to pass on those, a part at a
 * time. The version on the other side is searched in the files of that side from the newest back. A
 * type that was dropped on either side since is compared as a whole, and one whose rows are purged
 * isn't compared.
 *
 * <p>Rows of both sides are compared and shown in one schema: the current one of the second state's
 * branch, or that of a commit ({@link #inSchemaOf}). So a row that a migration only rewrote is
 * equal on both sides.
 */
public final class Diff {

  /** Number of identities that are looked up on the other side at once. */
  private static final int PART = 50_000;

  private final CommitState from;
  private final CommitState to;
  private final Function<TypeId, ComparisonSchema> schemas;
  private final long meeting;
  private List<VersionMix> versions = List.of();

  private Diff(CommitState from, CommitState to, Function<TypeId, ComparisonSchema> schemas) {
    this.from = from;
    this.to = to;
    this.schemas = schemas;
    this.meeting = from.lineage().commonAncestor(to.lineage()).map(Link::commitId).orElse(0L);
  }

  /** Returns the difference of rows as they were written, which a merge needs. */
  static Diff asWritten(CommitState from, CommitState to) {
    return new Diff(from, to, ComparisonSchema::asWritten);
  }

  /** Returns the difference of rows in the current schemas of the second state's branch. */
  static Diff inCurrentSchema(CommitState from, CommitState to) {
    return new Diff(from, to, type -> ComparisonSchema.of(type, from, to, OptionalLong.empty()));
  }

  /**
   * Returns this diff in the schemas that types had at a commit of the second state's branch.
   *
   * @throws UnknownCommitException when the branch has no such commit
   */
  public Diff inSchemaOf(long commit) {
    if (commit < 0 || commit > to.newestCommitId()) {
      throw new UnknownCommitException(commit, to.newestCommitId());
    }
    return new Diff(from, to, type -> ComparisonSchema.of(type, from, to, OptionalLong.of(commit)));
  }

  /** Returns the first state's commit. */
  public long from() {
    return from.commitId();
  }

  /** Returns the second state's commit. */
  public long to() {
    return to.commitId();
  }

  /** Returns the last commit that both have, or empty if they have none. */
  public Optional<Long> ancestor() {
    return meeting == 0 ? Optional.empty() : Optional.of(meeting);
  }

  /**
   * Returns the types that can't be compared, since a later commit of a side's branch dropped them
   * with their history and their files are deleted; each with that commit.
   */
  public SortedMap<TypeId, Long> purged() {
    SortedMap<TypeId, Long> purged = new TreeMap<>();
    for (TypeId type : types()) {
      for (CommitState side : List.of(from, to)) {
        side.purged(type).ifPresent(commit -> purged.put(type, commit));
      }
    }
    return purged;
  }

  /** Returns the types of which rows may differ. */
  public SortedSet<TypeId> types() {
    SortedSet<TypeId> types = from.manifest().typesTouchedSince(meeting);
    types.addAll(to.manifest().typesTouchedSince(meeting));
    return types;
  }

  /**
   * Passes on each identity that differs, type by type: first those that the second side wrote
   * last, in the order of its commits, then those that only the first side wrote.
   */
  public void forEach(Consumer<Difference> consumer) {
    SortedSet<TypeId> types = types();
    types.removeAll(purged().keySet());
    List<VersionMix> mixes = new ArrayList<>();
    for (TypeId type : types) {
      ComparisonSchema schema = schemas.apply(type);
      forEachPart(type, schema, part -> part.forEach(consumer));
      schema.mix().ifPresent(mixes::add);
    }
    versions = List.copyOf(mixes);
  }

  /**
   * Returns the types with rows that {@link #forEach} compared in another version of their schema
   * than they were written in. Empty before that method has run.
   */
  public List<VersionMix> versions() {
    return versions;
  }

  /** Passes on the identities of one type that differ, in batches. */
  void forEachPart(TypeId type, Consumer<List<Difference>> consumer) {
    forEachPart(type, schemas.apply(type), consumer);
  }

  private void forEachPart(
      TypeId type, ComparisonSchema schema, Consumer<List<Difference>> consumer) {
    long since =
        isDroppedSince(from.manifest(), type) || isDroppedSince(to.manifest(), type) ? 0 : meeting;
    LatestVersionSet ours = last(from, type, since);
    LatestVersionSet theirs = last(to, type, since);
    RowBatcher after =
        new RowBatcher(
            rows -> {
              Map<Identity, Row> old = from.rows(type, identities(rows));
              consumer.accept(
                  rows.stream()
                      .flatMap(row -> schema.difference(found(old, row), Optional.of(row)).stream())
                      .toList());
            });
    to.history(
        type,
        since,
        row -> {
          if (theirs.isLatest(row) && !ours.hasSamePayload(row)) {
            after.add(row);
          }
        });
    after.end();
    RowBatcher before =
        new RowBatcher(
            rows -> {
              Map<Identity, Row> now = to.rows(type, identities(rows));
              consumer.accept(
                  rows.stream()
                      .flatMap(row -> schema.difference(Optional.of(row), found(now, row)).stream())
                      .toList());
            });
    from.history(
        type,
        since,
        row -> {
          if (ours.isLatest(row) && !theirs.contains(row.identity())) {
            before.add(row);
          }
        });
    before.end();
  }

  private boolean isDroppedSince(Manifest manifest, TypeId type) {
    return manifest.type(type).floor() > meeting;
  }

  private static LatestVersionSet last(CommitState commitState, TypeId type, long since) {
    LatestVersionSet last = new LatestVersionSet(commitState.objects());
    commitState.history(type, since, last::add);
    return last;
  }

  private static List<Identity> identities(List<Row> rows) {
    return rows.stream().map(Row::identity).toList();
  }

  private static Optional<Row> found(Map<Identity, Row> rows, Row like) {
    return Optional.ofNullable(rows.get(like.identity()));
  }

  /** Batches of rows that are passed on together. */
  private static final class RowBatcher {
    private final Consumer<List<Row>> consumer;
    private List<Row> rows = new ArrayList<>();

    RowBatcher(Consumer<List<Row>> consumer) {
      this.consumer = consumer;
    }

    void add(Row row) {
      rows.add(row);
      if (rows.size() == PART) {
        end();
      }
    }

    void end() {
      if (!rows.isEmpty()) {
        List<Row> part = rows;
        rows = new ArrayList<>();
        consumer.accept(part);
      }
    }
  }
}
