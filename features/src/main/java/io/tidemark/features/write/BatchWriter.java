// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.db.PostgresErrorTranslator;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.geojson.Geometry;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.write.CollectionTables.Numbers;
import io.tidemark.features.write.CollectionTables.State;
import io.tidemark.features.write.NamespaceBuilder.Extent;
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
final class BatchWriter {

  private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

  /**
   * Each that is lost means that somebody else has committed, so this ends unless that never does.
   */
  private static final int MOST_ATTEMPTS = 100;

  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

  private final Savepoints savepoints;
  private final BatchContext begin;
  private final CollectionTables collectionTables;
  private final FeatureRemover featureRemover;
  private final List<String> warnings = new ArrayList<>();

  /** Whether there is one round, which is undone by nobody once it has deleted. */
  private boolean once;

  /** The feature because of which a round began anew last. */
  private String contested = "";

  /** How often there was one in this round that couldn't be locked. */
  private int unlocked;

  BatchWriter(
      SqlSession sql, Savepoints savepoints, BatchContext begin, ResultDetail resultDetail) {
    this.savepoints = savepoints;
    this.begin = begin;
    this.collectionTables = new CollectionTables(sql, savepoints, begin.collection());
    this.featureRemover = new FeatureRemover(collectionTables, resultDetail);
  }

  BatchResult run(List<Write> writes) {
    WriteValidator ids = new WriteValidator(begin.collection());
    List<PendingWrite> rows = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    List<List<PendingWrite>> rounds = new ArrayList<>();
    for (Write write : writes) {
      PendingWrite pendingWrite = new PendingWrite(write, ids.of(write));
      pendingWrite.result = ids.problem(write, pendingWrite.id).orElse(null);
      rows.add(pendingWrite);
      if (pendingWrite.result == null) {
        int round = seen.merge(pendingWrite.id, 1, Integer::sum);
        if (rounds.size() < round) {
          rounds.add(new ArrayList<>());
        }
        rounds.get(round - 1).add(pendingWrite);
      }
    }
    once = rounds.size() <= 1;
    if (once) {
      rounds.forEach(this::round);
    } else {
      inRounds(rounds);
    }
    warnings.forEach(LOG::warn);
    return new BatchResult(rows.stream().map(PendingWrite::requireResult).toList(), warnings);
  }

  /** Later rounds may insert out of order; if the database has to step in, all starts over. */
  private void inRounds(List<List<PendingWrite>> rounds) {
    Savepoint before = savepoints.set();
    for (int attempt = 1; ; attempt++) {
      try {
        rounds.forEach(this::round);
        return;
      } catch (StorageUnavailableException e) {
        if (attempt == MOST_ATTEMPTS || !PostgresErrorTranslator.isRetryable(e)) {
          throw e;
        }
        savepoints.undoTo(before);
        warnings.clear();
        // Whoever won is to get on, however slow it is; or it is met again, and wins again.
        LockSupport.parkNanos(attempt * PAUSE);
      }
    }
  }

  private void round(List<PendingWrite> rows) {
    rows.sort(PendingWrite.BY_ID);
    unlocked = 0;
    if (once && rows.stream().allMatch(PendingWrite::deletesAny)) {
      featureRemover.deleteAny(rows);
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
  private boolean attempt(List<PendingWrite> rows, @Nullable Savepoint before) {
    rows.forEach(pendingWrite -> pendingWrite.result = null);
    List<PendingWrite> sought = rows.stream().filter(PendingWrite::mayBeThere).toList();
    Map<String, JsonNode> current = new HashMap<>();
    if (!locked(sought, current, before)) {
      return false;
    }
    WritePlan writePlan = WritePlan.of(rows, current);
    Map<PendingWrite, State> states = states(writePlan.written(), current);
    Set<String> lost = writePlan.inserts().isEmpty() ? Set.of() : insert(writePlan, states);
    boolean again = lostUpsert(writePlan.inserts(), lost);
    Map<String, Feature> copies =
        again || writePlan.purges().isEmpty() ? Map.of() : featureRemover.copies(writePlan);
    if (before != null && (again || lostPurge(writePlan, copies))) {
      savepoints.undoTo(before);
      return false;
    }
    if (!writePlan.updates().isEmpty()) {
      update(writePlan.updates(), states);
    }
    featureRemover.run(writePlan, copies);
    explainConflicts(rows);
    writePlan.updates().forEach(pendingWrite -> warn(pendingWrite, current));
    return true;
  }

  /**
   * What is found out of order can't be locked beside others; an upsert may meet what somebody has
   * inserted first, a purge what somebody creates anew.
   */
  private static boolean mayStartOver(List<PendingWrite> rows) {
    return rows.stream().filter(PendingWrite::mayBeThere).limit(2).count() > 1
        || rows.stream()
            .anyMatch(
                pendingWrite ->
                    pendingWrite.write instanceof Write.Upsert
                        || pendingWrite.write instanceof Write.Purge);
  }

  private void warn(PendingWrite pendingWrite, Map<String, JsonNode> current) {
    JsonNode was = current.get(pendingWrite.id);
    if (was != null) {
      warnings.addAll(new PreviousVersion(pendingWrite.id, was).flaws(begin.actor()));
    }
  }

  /**
   * Locks those that are there; false when all has to start over. An upsert that finds nothing
   * inserts, and that tells if it is true; the others have to look again. What is found then is out
   * of order, unless it is the only one, for which there is no savepoint.
   */
  private boolean locked(
      List<PendingWrite> sought, Map<String, JsonNode> current, @Nullable Savepoint before) {
    List<String> left = PendingWrite.ids(sought);
    while (!left.isEmpty()) {
      current.putAll(collectionTables.lock(left));
      left =
          collectionTables.present(
              sought.stream()
                  .filter(pendingWrite -> !(pendingWrite.write instanceof Write.Upsert))
                  .map(pendingWrite -> pendingWrite.id)
                  .filter(id -> !current.containsKey(id))
                  .toList());
      if (left.isEmpty()) {
        return true;
      }
      contested = left.get(0);
      if (++unlocked == MOST_ATTEMPTS) {
        throw collectionTables.lockError(contested);
      }
      if (before != null) {
        savepoints.undoTo(before);
        return false;
      }
    }
    return true;
  }

  /** A create that finds its feature there is a conflict; an upsert has to update it instead. */
  private boolean lostUpsert(List<PendingWrite> inserts, Set<String> lost) {
    for (PendingWrite pendingWrite : inserts) {
      if (pendingWrite.write instanceof Write.Upsert && lost.contains(pendingWrite.id)) {
        contested = pendingWrite.id;
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
  private boolean lostPurge(WritePlan writePlan, Map<String, Feature> copies) {
    List<String> anew = collectionTables.presentOrDeleted(writePlan.absent(copies.keySet()));
    if (!anew.isEmpty()) {
      contested = anew.get(0);
    }
    return !anew.isEmpty();
  }

  private Set<String> insert(WritePlan writePlan, Map<PendingWrite, State> states) {
    List<State> inserted = of(writePlan.inserts(), states);
    Set<String> lost =
        writePlan.purges().isEmpty()
            ? collectionTables.insert(inserted)
            : collectionTables.insertBesideCopies(inserted);
    for (PendingWrite pendingWrite : writePlan.inserts()) {
      State state = states.get(pendingWrite);
      if (state != null && !lost.contains(pendingWrite.id)) {
        pendingWrite.result = new RowResult.Created(pendingWrite.id, state.feature());
      }
    }
    return lost;
  }

  private void update(List<PendingWrite> rows, Map<PendingWrite, State> states) {
    collectionTables.update(of(rows, states));
    for (PendingWrite pendingWrite : rows) {
      State state = states.get(pendingWrite);
      if (state != null) {
        pendingWrite.result = new RowResult.Updated(pendingWrite.id, state.feature());
      }
    }
  }

  /** The states that are to be written. */
  private Map<PendingWrite, State> states(
      List<PendingWrite> written, Map<String, JsonNode> current) {
    if (written.isEmpty()) {
      return Map.of();
    }
    Numbers given = collectionTables.reserveNumbers(written.size());
    NamespaceBuilder namespaceBuilder = begin.withTxn(given.txn());
    Iterator<Long> numbers = given.rows().iterator();
    Iterator<Extent> extents = extents(written).iterator();
    Map<PendingWrite, State> states = new HashMap<>();
    for (PendingWrite pendingWrite : written) {
      Feature sent = WriteValidator.feature(pendingWrite.write);
      long i = numbers.next();
      Extent known = Extent.withoutPostgis(sent.geometry());
      Extent extent = known == null ? extents.next() : known;
      JsonNode was = current.get(pendingWrite.id);
      Feature state =
          was == null
              ? namespaceBuilder.created(sent, pendingWrite.id, extent, i)
              : namespaceBuilder.updated(sent, pendingWrite.id, extent, i, was);
      states.put(pendingWrite, new State(pendingWrite.id, i, state));
    }
    return states;
  }

  /** Those of the geometries that PostGIS has to measure. */
  private List<Extent> extents(List<PendingWrite> rows) {
    List<String> unknown = new ArrayList<>();
    for (PendingWrite pendingWrite : rows) {
      Geometry geometry = WriteValidator.feature(pendingWrite.write).geometry();
      if (geometry != null && Extent.withoutPostgis(geometry) == null) {
        unknown.add(geometry.hex());
      }
    }
    return unknown.isEmpty() ? List.of() : collectionTables.extents(unknown);
  }

  private static List<State> of(List<PendingWrite> rows, Map<PendingWrite, State> states) {
    List<State> found = new ArrayList<>();
    for (PendingWrite pendingWrite : rows) {
      State state = states.get(pendingWrite);
      if (state != null) {
        found.add(state);
      }
    }
    return found;
  }

  /** What is left has met a feature that is in another state, or there when it should not be. */
  private void explainConflicts(List<PendingWrite> rows) {
    List<PendingWrite> left =
        rows.stream().filter(pendingWrite -> pendingWrite.result == null).toList();
    if (left.isEmpty()) {
      return;
    }
    Map<String, Feature> actual = collectionTables.current(PendingWrite.ids(left));
    left.forEach(pendingWrite -> pendingWrite.conflict(actual.get(pendingWrite.id)));
  }
}
