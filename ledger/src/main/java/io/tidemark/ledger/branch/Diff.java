// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.branch;

import io.tidemark.ledger.Identity;
import io.tidemark.ledger.Row;
import io.tidemark.ledger.commit.LastVersions;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Manifest;
import io.tidemark.ledger.store.Manifest.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * How two states of a ledger differ, whichever branches they are of: what one has to do to get from
 * the first to the second.
 *
 * <p>Only identities can differ that were written on either side since the last commit that both
 * have. So of each type that was touched since, these commits are read twice: once to learn which
 * version of an identity is its last, some 60 bytes each, and once to hand on those, a part at a
 * time. The version on the other side is looked for in the files of that side from the newest back.
 * A type that was dropped on either side since is compared as a whole, and one whose rows are
 * purged isn't compared.
 */
public final class Diff {

  /** How many identities are looked up on the other side at once. */
  private static final int PART = 50_000;

  private final State from;
  private final State to;
  private final long meeting;

  Diff(State from, State to) {
    this.from = from;
    this.to = to;
    this.meeting = from.lineage().meeting(to.lineage()).map(Link::commitId).orElse(0L);
  }

  /** The first state's commit. */
  public long from() {
    return from.commitId();
  }

  /** The second state's commit. */
  public long to() {
    return to.commitId();
  }

  /** The last commit that both have; empty when they have none. */
  public Optional<Long> ancestor() {
    return meeting == 0 ? Optional.empty() : Optional.of(meeting);
  }

  /**
   * The types that can't be compared, since a later commit of a side's branch dropped them with
   * their history and their files are deleted; each with that commit.
   */
  public SortedMap<TypeId, Long> purged() {
    SortedMap<TypeId, Long> purged = new TreeMap<>();
    for (TypeId type : types()) {
      for (State side : List.of(from, to)) {
        side.purged(type).ifPresent(commit -> purged.put(type, commit));
      }
    }
    return purged;
  }

  /** The types of which rows may differ. */
  public SortedSet<TypeId> types() {
    SortedSet<TypeId> types = from.manifest().typesTouchedSince(meeting);
    types.addAll(to.manifest().typesTouchedSince(meeting));
    return types;
  }

  /**
   * Hands on each identity that differs, type by type: first those that the second side wrote last,
   * in the order of its commits, then those that only the first side wrote.
   */
  public void forEach(Consumer<Difference> consumer) {
    SortedSet<TypeId> types = types();
    types.removeAll(purged().keySet());
    for (TypeId type : types) {
      forEachPart(type, part -> part.forEach(consumer));
    }
  }

  /** The same for one type, so many at a time. */
  void forEachPart(TypeId type, Consumer<List<Difference>> consumer) {
    long since =
        isDroppedSince(from.manifest(), type) || isDroppedSince(to.manifest(), type) ? 0 : meeting;
    LastVersions ours = last(from, type, since);
    LastVersions theirs = last(to, type, since);
    Parts after =
        new Parts(
            rows -> consumer.accept(differences(type, from.rows(type, identities(rows)), rows)));
    to.history(
        type,
        since,
        row -> {
          if (theirs.isLast(row) && !ours.says(row)) {
            after.add(row);
          }
        });
    after.end();
    Parts before =
        new Parts(rows -> consumer.accept(reversed(type, to.rows(type, identities(rows)), rows)));
    from.history(
        type,
        since,
        row -> {
          if (ours.isLast(row) && !theirs.has(row.identity())) {
            before.add(row);
          }
        });
    before.end();
  }

  private boolean isDroppedSince(Manifest manifest, TypeId type) {
    return manifest.floor(type) > meeting;
  }

  private static LastVersions last(State state, TypeId type, long since) {
    LastVersions last = new LastVersions(state.objects());
    state.history(type, since, last::add);
    return last;
  }

  private static List<Identity> identities(List<Row> rows) {
    return rows.stream().map(Row::identity).toList();
  }

  private static List<Difference> differences(
      TypeId type, Map<Identity, Row> before, List<Row> after) {
    List<Difference> differences = new ArrayList<>();
    for (Row row : after) {
      Optional<Row> old = Optional.ofNullable(before.get(row.identity()));
      if (old.isEmpty() || !Fields.same(old.get(), row)) {
        differences.add(new Difference(type, row.identity(), old, Optional.of(row)));
      }
    }
    return differences;
  }

  private static List<Difference> reversed(
      TypeId type, Map<Identity, Row> after, List<Row> before) {
    return differences(type, after, before).stream()
        .map(each -> new Difference(type, each.identity(), each.after(), each.before()))
        .toList();
  }

  /** Rows, handed on so many at a time. */
  private static final class Parts {
    private final Consumer<List<Row>> consumer;
    private List<Row> rows = new ArrayList<>();

    Parts(Consumer<List<Row>> consumer) {
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
