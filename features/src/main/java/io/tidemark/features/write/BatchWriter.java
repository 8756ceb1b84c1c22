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
 * Writes a batch to one collection in sets. Existing features are locked, and a {@link WritePlan}
 * decides about each write. Then there is one statement for all creations, one for all updates, and
 * one for all deletions.
 *
 * <p>Several writes to the same feature are done in rounds, one of each feature at a time, so that
 * each sees the effect of the one before.
 *
 * <p>The order of locks prevents deadlocks between batches. Existing features are locked in the
 * order of their ids, then new ones are inserted in the same order. Then deletion copies are
 * locked, again in that order, those of inserted features among those that are purged. A concurrent
 * transaction may be first to insert a feature that this round would insert, update or purge. Then
 * the round is rolled back with its locks and starts over: locking the feature now, while holding
 * other locks, would be out of order.
 *
 * <p>A batch that only deletes unconditionally doesn't read first. If it would have to wait for
 * another transaction, the database rolls back its deletions and locks all of the features first: a
 * transaction that inserts may be waiting for one of them while it holds the next. The client can't
 * roll back such a deletion: the function does it in a subtransaction that has ended. A transaction
 * that waits for a row of such a subtransaction waits from then on for the whole transaction, even
 * if the row has been released since. So a batch that may have to roll back deletions, since
 * several rounds follow each other, locks first and deletes in no subtransaction but its own.
 */
final class BatchWriter {

  private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

  /**
   * Each failed attempt means that another transaction has committed, so the loop ends unless that
   * never stops.
   */
  private static final int MOST_ATTEMPTS = 100;

  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

  private final Savepoints savepoints;
  private final BatchContext begin;
  private final CollectionTables collectionTables;
  private final FeatureRemover featureRemover;
  private final List<String> warnings = new ArrayList<>();

  /** Whether there is only one round, which is never rolled back once it has deleted. */
  private boolean once;

  /** The feature because of which a round began anew last. */
  private String contested = "";

  /** Number of attempts in this round in which a feature couldn't be locked. */
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
        // The transaction that won must make progress, however slow it is; a retry without a pause
        // would meet it again and lose again.
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
   * Runs a round; returns false when a concurrent transaction interfered and the round was rolled
   * back.
   *
   * @param before the savepoint before the round; null when a rollback can't be necessary
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
   * A feature that is found out of order can't be locked beside other ones. An upsert may meet a
   * feature that another transaction has inserted first, a purge one that another transaction
   * creates anew.
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
   * Locks the existing features; returns false when the round has to start over. An upsert that
   * finds no feature inserts it, which shows whether it is missing; the other writes have to look
   * again. A feature found then is out of order, unless it is the only one, for which there is no
   * savepoint.
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
   * A statement that has waited for a removed deletion copy finds none, and so does one that comes
   * late. If the copy was purged, there is nothing; if its feature was created anew, that feature
   * exists, or another copy when it was deleted again.
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

  /** Returns the states that are to be written. */
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

  /** Returns the extents of the geometries that PostGIS has to measure. */
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

  /**
   * The remaining writes have met a feature that is in another state, or exists when it must not.
   */
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
