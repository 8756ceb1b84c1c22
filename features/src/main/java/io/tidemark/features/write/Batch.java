// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.db.Failures;
import io.tidemark.features.db.Session;
import io.tidemark.features.geojson.Geometry;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.write.Head.Numbers;
import io.tidemark.features.write.Head.State;
import io.tidemark.features.write.Stamp.Extent;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch of writes to one collection, done in sets: those that are there are locked, a {@link
 * Plan} says what is to become of each, and then there is one statement for all that are created,
 * one for all that are updated, and one for all that are deleted.
 *
 * <p>Several writes to the same feature are done in rounds, one of each feature at a time, so that
 * each sees what the one before did.
 *
 * <p>Nobody can wait for us while we wait for them: features that are there are locked in the order
 * of their ids, then those are inserted that aren't, in the same order, and then deletion copies
 * are locked, again in that order, those of what was inserted among those that are purged. When
 * somebody else inserts first what was to be inserted, updated or purged, whichever is right, the
 * round is undone with its locks and starts over: locking what is there now, while holding others,
 * would be out of order.
 *
 * <p>A batch that only deletes, whatever is there, doesn't look first. If it meets somebody whom it
 * would have to wait for, the database undoes what it has deleted and locks all of them first:
 * whoever inserts may be waiting for one of these while it holds the next. What is deleted like
 * that can't be undone by us: it is done in a subtransaction of the function's that has ended, and
 * whoever waits for a row of such a one waits for the whole transaction from then on, also if the
 * row was given back since. So a batch that may have to undo deletions, since several rounds follow
 * each other, locks first and deletes in no subtransaction but its own.
 */
final class Batch {

  private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

  /**
   * Each that is lost means that somebody else has committed, so this ends unless that never does.
   */
  private static final int MOST_ATTEMPTS = 100;

  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

  private final Savepoints savepoints;
  private final BatchBegin begin;
  private final Head head;
  private final Removal removal;
  private final List<String> warnings = new ArrayList<>();

  /** Whether there is one round, which is undone by nobody once it has deleted. */
  private boolean once;

  /** The feature because of which a round began anew last. */
  private String contested = "";

  /** How often there was one in this round that couldn't be locked. */
  private int unlocked;

  Batch(Session sql, Savepoints savepoints, BatchBegin begin, Answer answer) {
    this.savepoints = savepoints;
    this.begin = begin;
    this.head = new Head(sql, savepoints, begin.collection());
    this.removal = new Removal(head, answer);
  }

  WriteResult run(List<Write> writes) {
    RowIds ids = new RowIds(begin.collection());
    List<Row> rows = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    List<List<Row>> rounds = new ArrayList<>();
    for (Write write : writes) {
      Row row = new Row(write, ids.of(write));
      row.result = ids.problem(write, row.id).orElse(null);
      rows.add(row);
      if (row.result == null) {
        int round = seen.merge(row.id, 1, Integer::sum);
        if (rounds.size() < round) {
          rounds.add(new ArrayList<>());
        }
        rounds.get(round - 1).add(row);
      }
    }
    once = rounds.size() <= 1;
    if (once) {
      rounds.forEach(this::round);
    } else {
      inRounds(rounds);
    }
    warnings.forEach(LOG::warn);
    return new WriteResult(rows.stream().map(Row::known).toList(), warnings);
  }

  /** Later rounds may insert out of order; if the database has to step in, all starts over. */
  private void inRounds(List<List<Row>> rounds) {
    Savepoint before = savepoints.set();
    for (int attempt = 1; ; attempt++) {
      try {
        rounds.forEach(this::round);
        return;
      } catch (StorageUnavailableException e) {
        if (attempt == MOST_ATTEMPTS || !Failures.beaten(e)) {
          throw e;
        }
        savepoints.undoTo(before);
        warnings.clear();
        // Whoever won is to get on, however slow it is; or it is met again, and wins again.
        LockSupport.parkNanos(attempt * PAUSE);
      }
    }
  }

  private void round(List<Row> rows) {
    rows.sort(Row.BY_ID);
    unlocked = 0;
    if (once && rows.stream().allMatch(Row::deletesAny)) {
      removal.deleteAny(rows);
      return;
    }
    Savepoint before = mayStartOver(rows) ? savepoints.set() : null;
    for (int attempt = 1; !attempt(rows, before); attempt++) {
      if (attempt == MOST_ATTEMPTS) {
        throw new StorageUnavailableException(
            ("others create feature '%s' again and again, or row-level security or a BEFORE trigger of"
                    + " the collection's keeps it from being written; nothing was changed, try again")
                .formatted(contested));
      }
    }
  }

  /**
   * Does a round; false when somebody was in between and all of it was undone.
   *
   * @param before the beginning of the round; null when it can't come to that
   */
  private boolean attempt(List<Row> rows, @Nullable Savepoint before) {
    rows.forEach(row -> row.result = null);
    List<Row> sought = rows.stream().filter(Row::mayBeThere).toList();
    Map<String, JsonNode> current = new HashMap<>();
    if (!locked(sought, current, before)) {
      return false;
    }
    Plan plan = Plan.of(rows, current);
    Map<Row, State> states = states(plan.written(), current);
    Set<String> lost = plan.inserts().isEmpty() ? Set.of() : insert(plan, states);
    boolean again = lostUpsert(plan.inserts(), lost);
    Map<String, Feature> copies =
        again || plan.purges().isEmpty() ? Map.of() : removal.copies(plan);
    if (before != null && (again || lostPurge(plan, copies))) {
      savepoints.undoTo(before);
      return false;
    }
    if (!plan.updates().isEmpty()) {
      update(plan.updates(), states);
    }
    removal.run(plan, copies);
    explainConflicts(rows);
    plan.updates().forEach(row -> warn(row, current));
    return true;
  }

  /**
   * What is found out of order can't be locked beside others; an upsert may meet what somebody has
   * inserted first, a purge what somebody creates anew.
   */
  private static boolean mayStartOver(List<Row> rows) {
    return rows.stream().filter(Row::mayBeThere).limit(2).count() > 1
        || rows.stream()
            .anyMatch(row -> row.write instanceof Write.Upsert || row.write instanceof Write.Purge);
  }

  private void warn(Row row, Map<String, JsonNode> current) {
    JsonNode was = current.get(row.id);
    if (was != null) {
      warnings.addAll(new OldState(row.id, was).flaws(begin.actor()));
    }
  }

  /**
   * Locks those that are there; false when all has to start over. An upsert that finds nothing
   * inserts, and that tells if it is true; the others have to look again. What is found then is out
   * of order, unless it is the only one, for which there is no savepoint.
   */
  private boolean locked(
      List<Row> sought, Map<String, JsonNode> current, @Nullable Savepoint before) {
    List<String> left = Row.ids(sought);
    while (!left.isEmpty()) {
      current.putAll(head.lock(left));
      left =
          head.present(
              sought.stream()
                  .filter(row -> !(row.write instanceof Write.Upsert))
                  .map(row -> row.id)
                  .filter(id -> !current.containsKey(id))
                  .toList());
      if (left.isEmpty()) {
        return true;
      }
      contested = left.get(0);
      if (++unlocked == MOST_ATTEMPTS) {
        throw head.unlockable(contested);
      }
      if (before != null) {
        savepoints.undoTo(before);
        return false;
      }
    }
    return true;
  }

  /** A create that finds its feature there is a conflict; an upsert has to update it instead. */
  private boolean lostUpsert(List<Row> inserts, Set<String> lost) {
    for (Row row : inserts) {
      if (row.write instanceof Write.Upsert && lost.contains(row.id)) {
        contested = row.id;
        return true;
      }
    }
    return false;
  }

  /**
   * Whoever has waited for a copy that is gone then is told of none, as is who comes late. If it
   * was purged, there is nothing; if its feature was created anew, that is there, or another copy
   * when it was deleted again.
   */
  private boolean lostPurge(Plan plan, Map<String, Feature> copies) {
    List<String> anew = head.presentOrDeleted(plan.absent(copies.keySet()));
    if (!anew.isEmpty()) {
      contested = anew.get(0);
    }
    return !anew.isEmpty();
  }

  private Set<String> insert(Plan plan, Map<Row, State> states) {
    List<State> inserted = of(plan.inserts(), states);
    Set<String> lost =
        plan.purges().isEmpty() ? head.insert(inserted) : head.insertBesideCopies(inserted);
    for (Row row : plan.inserts()) {
      State state = states.get(row);
      if (state != null && !lost.contains(row.id)) {
        row.result = new RowResult.Created(row.id, state.feature());
      }
    }
    return lost;
  }

  private void update(List<Row> rows, Map<Row, State> states) {
    head.update(of(rows, states));
    for (Row row : rows) {
      State state = states.get(row);
      if (state != null) {
        row.result = new RowResult.Updated(row.id, state.feature());
      }
    }
  }

  /** The states that are to be written. */
  private Map<Row, State> states(List<Row> written, Map<String, JsonNode> current) {
    if (written.isEmpty()) {
      return Map.of();
    }
    Numbers given = head.numbers(written.size());
    Stamp stamp = begin.numbered(given.txn());
    Iterator<Long> numbers = given.rows().iterator();
    Iterator<Extent> extents = extents(written).iterator();
    Map<Row, State> states = new HashMap<>();
    for (Row row : written) {
      Feature sent = RowIds.feature(row.write);
      long i = numbers.next();
      Extent known = Extent.known(sent.geometry());
      Extent extent = known == null ? extents.next() : known;
      JsonNode was = current.get(row.id);
      Feature state =
          was == null
              ? stamp.created(sent, row.id, extent, i)
              : stamp.updated(sent, row.id, extent, i, was);
      states.put(row, new State(row.id, i, state));
    }
    return states;
  }

  /** Those of the geometries that PostGIS has to measure. */
  private List<Extent> extents(List<Row> rows) {
    List<String> unknown = new ArrayList<>();
    for (Row row : rows) {
      Geometry geometry = RowIds.feature(row.write).geometry();
      if (geometry != null && Extent.known(geometry) == null) {
        unknown.add(geometry.hex());
      }
    }
    return unknown.isEmpty() ? List.of() : head.extents(unknown);
  }

  private static List<State> of(List<Row> rows, Map<Row, State> states) {
    List<State> found = new ArrayList<>();
    for (Row row : rows) {
      State state = states.get(row);
      if (state != null) {
        found.add(state);
      }
    }
    return found;
  }

  /** What is left has met a feature that is in another state, or there when it should not be. */
  private void explainConflicts(List<Row> rows) {
    List<Row> left = rows.stream().filter(row -> row.result == null).toList();
    if (left.isEmpty()) {
      return;
    }
    Map<String, Feature> actual = head.current(Row.ids(left));
    left.forEach(row -> row.conflict(actual.get(row.id)));
  }
}
