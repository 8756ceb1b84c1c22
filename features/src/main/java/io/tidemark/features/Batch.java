// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.Head.State;
import io.tidemark.features.Stamp.Extent;
import io.tidemark.features.db.Failures;
import io.tidemark.features.geojson.Geometry;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A batch of writes to one collection, done in sets: those that are there are locked, it is decided
 * in Java what is to become of each, and then there is one statement for all that are created, one
 * for all that are updated, and one for all that are deleted.
 *
 * <p>Several writes to the same feature are done in rounds, one of each feature at a time, so that
 * each sees what the one before did.
 *
 * <p>Nobody can wait for us while we wait for them: features that are there are locked in the order
 * of their ids, and so are those inserted that aren't. When somebody else inserts first what was to
 * be inserted or updated, whichever is right, the round is undone with its locks and starts over:
 * locking what is there now, while holding others, would be out of order.
 */
final class Batch {

  /**
   * Each that is lost means that somebody else has committed, so this ends unless that never does.
   */
  private static final int MOST_ATTEMPTS = 100;

  /** The order of the database's collation "C". */
  private static final Comparator<Row> BY_ID =
      Comparator.comparing(row -> row.id.getBytes(UTF_8), Arrays::compareUnsigned);

  private final Statements sql;
  private final Stamp stamp;
  private final Head head;
  private final Answer answer;

  Batch(Statements sql, Stamp stamp, Answer answer) {
    this.sql = sql;
    this.stamp = stamp;
    this.head = new Head(sql, stamp.collection());
    this.answer = answer;
  }

  /** One write and what has become of it so far. */
  private static final class Row {
    final Write write;
    final String id;
    @Nullable RowResult result;

    Row(Write write, String id) {
      this.write = write;
      this.id = id;
    }
  }

  /** What is to be done in a round. */
  private record Plan(List<Row> inserts, List<Row> updates, List<Row> deletes, List<Row> purges) {
    Plan() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  WriteResult run(List<Write> writes) {
    RowIds ids = new RowIds(stamp.collection());
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
    if (rounds.size() <= 1) {
      rounds.forEach(this::round);
    } else {
      inRounds(rounds);
    }
    return new WriteResult(rows.stream().map(Batch::result).toList());
  }

  /** Later rounds may insert out of order; if the database has to step in, all starts over. */
  private void inRounds(List<List<Row>> rounds) {
    Savepoint before = sql.with(c -> c.setSavepoint());
    for (int attempt = 1; ; attempt++) {
      try {
        rounds.forEach(this::round);
        return;
      } catch (StorageUnavailableException e) {
        if (attempt == MOST_ATTEMPTS || !Failures.deadlock(e)) {
          throw e;
        }
        sql.undoTo(before);
      }
    }
  }

  private static RowResult result(Row row) {
    if (row.result == null) {
      throw new IllegalStateException("nothing has become of feature " + row.id);
    }
    return row.result;
  }

  private void round(List<Row> rows) {
    rows.sort(BY_ID);
    for (int attempt = 1; !attempt(rows); attempt++) {
      if (attempt == MOST_ATTEMPTS) {
        throw new StorageUnavailableException(
            "others create the same features again and again; nothing was changed, try again");
      }
    }
  }

  /** Does a round; false when somebody was in between and all of it was undone. */
  private boolean attempt(List<Row> rows) {
    rows.forEach(row -> row.result = null);
    boolean mayLose = rows.stream().anyMatch(row -> row.write instanceof Write.Upsert);
    Savepoint before = mayLose ? sql.with(c -> c.setSavepoint()) : null;
    // With nothing else to do, deletions that expect nothing need no look first.
    boolean blind = rows.stream().allMatch(Batch::deletesAny);
    List<Row> present = blind ? List.of() : rows.stream().filter(Batch::mayBeThere).toList();
    Map<String, JsonNode> current = present.isEmpty() ? Map.of() : head.lock(ids(present));
    Plan plan = blind ? blindly(rows) : plan(rows, current);
    Map<Row, State> states = states(plan, current);
    Set<String> lost = plan.inserts.isEmpty() ? Set.of() : head.insert(of(plan.inserts, states));
    if (before != null && lostUpsert(plan.inserts, lost)) {
      sql.undoTo(before);
      return false;
    }
    for (Row row : plan.inserts) {
      State state = states.get(row);
      if (state != null && !lost.contains(row.id)) {
        row.result = new RowResult.Created(row.id, state.feature());
      }
    }
    if (!plan.updates.isEmpty()) {
      head.update(of(plan.updates, states));
      plan.updates.forEach(
          row ->
              row.result =
                  new RowResult.Updated(row.id, of(List.of(row), states).get(0).feature()));
    }
    delete(plan);
    explainConflicts(rows);
    return true;
  }

  private static boolean mayBeThere(Row row) {
    return !(row.write instanceof Write.Create);
  }

  private static boolean deletesAny(Row row) {
    boolean deletes = row.write instanceof Write.Delete || row.write instanceof Write.Purge;
    return deletes && RowIds.expected(row.write) == null;
  }

  /** A create that finds its feature there is a conflict; an upsert has to update it instead. */
  private static boolean lostUpsert(List<Row> inserts, Set<String> lost) {
    return inserts.stream()
        .anyMatch(row -> row.write instanceof Write.Upsert && lost.contains(row.id));
  }

  private Plan plan(List<Row> rows, Map<String, JsonNode> current) {
    Plan plan = new Plan();
    for (Row row : rows) {
      JsonNode was = current.get(row.id);
      Write write = row.write;
      if (was != null && differs(write, was)) {
        continue;
      }
      if (write instanceof Write.Create || (write instanceof Write.Upsert && was == null)) {
        plan.inserts.add(row);
      } else if (write instanceof Write.Purge) {
        plan.purges.add(row);
      } else if (was == null && write instanceof Write.Update) {
        row.result =
            new RowResult.Missing(
                row.id, "Operation failed, no feature with the id '%s' exists".formatted(row.id));
      } else if (was == null) {
        row.result = new RowResult.Retained(row.id);
      } else if (write instanceof Write.Delete) {
        plan.deletes.add(row);
      } else {
        plan.updates.add(row);
      }
    }
    // A purge deletes first what is there.
    plan.purges.stream().filter(row -> current.containsKey(row.id)).forEach(plan.deletes::add);
    return plan;
  }

  private static Plan blindly(List<Row> rows) {
    List<Row> purges = rows.stream().filter(row -> row.write instanceof Write.Purge).toList();
    return new Plan(List.of(), List.of(), rows, purges);
  }

  private static boolean differs(Write write, JsonNode was) {
    String expected = RowIds.expected(write);
    return expected != null && !expected.equals(was.path("uuid").asText());
  }

  /** The states that are to be written. */
  private Map<Row, State> states(Plan plan, Map<String, JsonNode> current) {
    List<Row> written = new ArrayList<>(plan.inserts);
    written.addAll(plan.updates);
    if (written.isEmpty()) {
      return Map.of();
    }
    Iterator<Long> numbers = head.numbers(written.size()).iterator();
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

  private void delete(Plan plan) {
    Set<String> deleted = plan.deletes.isEmpty() ? Set.of() : head.delete(ids(plan.deletes));
    List<String> told = answer == Answer.STATES ? List.copyOf(deleted) : List.of();
    Map<String, Feature> last = told.isEmpty() ? Map.of() : head.lastStates(told, stamp.txn());
    for (Row row : plan.deletes) {
      Optional<Feature> state = Optional.ofNullable(last.get(row.id));
      boolean purge = row.write instanceof Write.Purge;
      if (deleted.contains(row.id)) {
        row.result =
            purge ? new RowResult.Purged(row.id, state) : new RowResult.Deleted(row.id, state);
      } else if (!purge) {
        row.result = new RowResult.Retained(row.id);
      }
    }
    if (!plan.purges.isEmpty()) {
      purge(plan.purges);
    }
  }

  private void purge(List<Row> rows) {
    Map<String, Feature> zombies = head.zombies(ids(rows));
    List<String> purged = new ArrayList<>();
    for (Row row : rows) {
      Feature zombie = zombies.get(row.id);
      String expected = RowIds.expected(row.write);
      // What was there a moment ago had the expected state already, and now has another.
      if (row.result != null) {
        purged.add(row.id);
      } else if (zombie == null) {
        row.result = new RowResult.Retained(row.id);
      } else if (expected != null
          && !zombie.xyz().flatMap(Xyz::uuid).equals(Optional.of(expected))) {
        row.result = conflict(row, zombie);
      } else {
        purged.add(row.id);
        row.result = new RowResult.Purged(row.id, Optional.of(zombie));
      }
    }
    if (!purged.isEmpty()) {
      head.purge(purged);
    }
  }

  /** What is left has met a feature that is in another state, or there when it should not be. */
  private void explainConflicts(List<Row> rows) {
    List<Row> left = rows.stream().filter(row -> row.result == null).toList();
    if (left.isEmpty()) {
      return;
    }
    Map<String, Feature> actual = head.current(ids(left));
    left.forEach(row -> row.result = conflict(row, actual.get(row.id)));
  }

  private static RowResult conflict(Row row, @Nullable Feature actual) {
    String message =
        row.write instanceof Write.Create
            ? "The feature with the id '%s' does exist already".formatted(row.id)
            : "The feature '%s' uuid '%s' does not match: '%s'"
                .formatted(
                    row.id,
                    RowIds.expected(row.write),
                    actual == null ? "" : actual.xyz().flatMap(Xyz::uuid).orElse(""));
    return new RowResult.Conflict(row.id, message, Optional.ofNullable(actual));
  }

  private static List<String> ids(List<Row> rows) {
    return rows.stream().map(row -> row.id).toList();
  }
}
