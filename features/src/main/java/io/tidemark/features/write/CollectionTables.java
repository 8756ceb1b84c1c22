// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.db.PostgresErrorTranslator;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.geojson.Geometry;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.StorageUnusableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.read.FeatureRows;
import io.tidemark.features.write.NamespaceBuilder.Extent;
import io.tidemark.objects.TidemarkException;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a collection, and the statements on them. Each takes a whole batch as arrays, so
 * that the number of statements doesn't depend on the number of features. Locks and writes are done
 * by functions in the database, whose comments explain the reasons.
 */
final class CollectionTables {

  private static final String XYZ = "jsondata->'properties'->'@ns:com:here:xyz'";

  /** Members of the namespace that are read from a locked feature, in the order of the columns. */
  private static final List<String> FORMER =
      List.of("uuid", "version", "createdAt", "author", "author_ts");

  /** Number of states from which on a savepoint costs less than it saves. */
  private static final int MANY = 32;

  private final SqlSession sql;
  private final Savepoints savepoints;
  private final CollectionInfo info;
  private final String head;
  private final String deleted;
  private final String history;
  private final String sequence;

  CollectionTables(SqlSession sql, Savepoints savepoints, CollectionInfo info) {
    this.sql = sql;
    this.savepoints = savepoints;
    this.info = info;
    this.head = sql.place().table(info.id());
    this.deleted = sql.place().table(info.id() + "_del");
    this.history = sql.place().table(info.id() + "_hst");
    this.sequence = sql.place().table(info.id() + "_i_seq");
  }

  /** A state to be written. */
  record State(String id, long i, Feature feature) {
    @Nullable String geometry() {
      Geometry geometry = feature.geometry();
      return geometry == null ? null : geometry.hex();
    }
  }

  /**
   * Locks the existing features, in the order of their ids; returns the members of their namespaces
   * that the next states need.
   */
  Map<String, JsonNode> lock(List<String> ids) {
    Map<String, JsonNode> found = new HashMap<>();
    sql.queryRows(
            "SELECT id, uuid, version, created, author, author_ts FROM %s(?)"
                .formatted(function("lock")),
            row -> Map.entry(row.getString(1), former(row)),
            ids)
        .forEach(row -> found.put(row.getKey(), row.getValue()));
    return found;
  }

  private static JsonNode former(ResultSet row) throws SQLException {
    ObjectNode xyz = JsonNodeFactory.instance.objectNode();
    for (int n = 0; n < FORMER.size(); n++) {
      String json = row.getString(n + 2);
      if (json != null) {
        xyz.set(FORMER.get(n), GeoJson.value(json));
      }
    }
    return xyz;
  }

  /**
   * Numbers for new states.
   *
   * @param txn the number of the transaction
   * @param rows row numbers
   */
  record Numbers(Txn txn, List<Long> rows) {}

  /** Takes {@code count} row numbers, and the transaction's number if it has none yet. */
  Numbers reserveNumbers(int count) {
    return sql.queryOne(
        // OFFSET 0 keeps the sequence from being looked for once a number.
        "SELECT %s.naksha_txn(), ARRAY(SELECT nextval(s.name) FROM (SELECT ?::regclass AS name"
            + " OFFSET 0) AS s, generate_series(1, ?))",
        row -> new Numbers(new Txn(row.getLong(1)), List.of((Long[]) row.getArray(2).getArray())),
        sequence,
        count);
  }

  /** Returns the extents that PostGIS computes for geometries other than points. */
  List<Extent> extents(List<String> geometries) {
    return sql.queryRows(
        "SELECT %s.naksha_qrid(g), %s.naksha_extend(g) FROM unnest(?::text[]) WITH ORDINALITY AS"
            + " u(t, n), LATERAL (SELECT %s.naksha_geometry(t) AS g) AS c ORDER BY n",
        row -> new Extent(row.getString(1), row.getLong(2)), geometries);
  }

  /** Inserts states; returns the ids of those that a concurrent transaction has inserted before. */
  Set<String> insert(List<State> states) {
    if (states.size() >= MANY && insertedAtOnce(states)) {
      return Set.of();
    }
    long inserted = sql.queryLong(adding("addnew"), columns(states));
    return inserted < states.size() ? Set.copyOf(unwritten(states)) : Set.of();
  }

  /**
   * Inserts states and leaves their deletion copies to {@link #purge}: a batch that also purges
   * other features has to lock all copies in the order of their ids.
   */
  Set<String> insertBesideCopies(List<State> states) {
    String setting = "SELECT set_config('naksha.purging', ?::text || ' ' || ?::text[]::text, true)";
    sql.call(setting, info.id(), states.stream().map(State::id).toList());
    Set<String> lost = insert(states);
    sql.call("SELECT set_config('naksha.purging', '', true)");
    return lost;
  }

  /** Returns the ids of the states that weren't written. */
  private List<String> unwritten(List<State> states) {
    Set<Long> there =
        Set.copyOf(
            sql.queryRows(
                "SELECT i FROM %s WHERE i = ANY (?)".formatted(head),
                row -> row.getLong(1),
                states.stream().map(State::i).toList()));
    return states.stream().filter(s -> !there.contains(s.i())).map(State::id).toList();
  }

  /**
   * Creates the error for a feature that the database doesn't change, although no concurrent
   * transaction interferes.
   */
  StorageUnusableException unchangedError(String id, String what) {
    return new StorageUnusableException(
        ("the feature '%s' of collection '%s' is there and can't be %s; see whether row-level"
                + " security or a BEFORE trigger of the collection's keeps it from that")
            .formatted(id, info.id(), what));
  }

  /**
   * Creates the error for a feature that exists, but is never found when it is to be locked.
   * Locking runs no triggers; so unless row-level security is the cause, concurrent transactions
   * were faster.
   */
  TidemarkException lockError(String id) {
    return sql.queryBoolean("SELECT row_security_active(?::regclass)", head)
        ? unchangedError(id, "locked")
        : new StorageUnavailableException(
            "others delete feature '%s' and create it again and again; nothing was changed, try again"
                .formatted(id));
  }

  /**
   * Tries to insert all states; returns false, with no effect, when one exists or a trigger of the
   * collection rejects it. That is cheaper than handling conflicts, which makes PostgreSQL look
   * into every unique key twice.
   */
  private boolean insertedAtOnce(List<State> states) {
    Savepoint before = savepoints.set();
    try {
      if (sql.queryLong(adding("add"), columns(states)) == states.size()) {
        return true;
      }
    } catch (InvalidRequestException e) {
      if (!PostgresErrorTranslator.isDuplicate(e)) {
        throw e;
      }
    }
    savepoints.undoTo(before);
    return false;
  }

  private String adding(String function) {
    return "SELECT %s(?, ?, ?)".formatted(function(function));
  }

  /** Replaces the states of features that are locked. */
  void update(List<State> states) {
    long updated =
        sql.queryLong(
            "SELECT %s(?, ?, ?, ?)".formatted(function("replace")),
            states.stream().map(State::id).toList(),
            states.stream().map(State::i).toList(),
            geometries(states),
            texts(states));
    if (updated != states.size()) {
      throw unchangedError(unwritten(states).get(0), "updated");
    }
  }

  /**
   * Returns the ids of the existing features. A statement that has waited for a deleted row finds
   * no feature, although the same transaction may have created it anew: PostgreSQL checks that row
   * again, and doesn't search for other rows. So a feature counts as missing only after this query,
   * which waits for no lock.
   */
  List<String> present(List<String> ids) {
    return ids.isEmpty()
        ? ids
        : sql.queryTexts(
            "SELECT u.id FROM unnest(?::text[]) AS u(id), LATERAL (SELECT FROM %s h WHERE %s OFFSET 0)"
                    .formatted(head, FeatureRows.same(info))
                + " AS h ORDER BY u.id COLLATE \"C\"",
            ids);
  }

  /**
   * Returns the ids of features that exist, or are deleted and not purged; see {@link #present}.
   */
  List<String> presentOrDeleted(List<String> ids) {
    return ids.isEmpty()
        ? ids
        : sql.queryTexts(
            ("SELECT u.id FROM unnest(?::text[]) AS u(id), LATERAL (SELECT FROM %s h WHERE %s UNION"
                    + " ALL SELECT FROM %s d WHERE (d.jsondata->>'id') COLLATE \"C\" = u.id OFFSET 0)"
                    + " AS k ORDER BY u.id COLLATE \"C\"")
                .formatted(head, FeatureRows.same(info), deleted),
            ids);
  }

  /**
   * Deletes features unconditionally and returns the ids of those that existed. None exists
   * afterwards.
   */
  Set<String> deleteAny(List<String> ids) {
    return removed("SELECT %s(?, false)", ids);
  }

  /** Deletes locked features; returns the ids of those that existed, so all of them. */
  Set<String> delete(List<String> ids) {
    return removed("SELECT %s(?, true)", ids);
  }

  private Set<String> removed(String call, List<String> ids) {
    List<String> removed =
        sql.queryRows(
                call.formatted(function("remove")),
                row -> {
                  Array some = row.getArray(1);
                  return some == null ? ids : List.of((String[]) some.getArray());
                },
                ids)
            .get(0);
    return Set.copyOf(removed);
  }

  /** Removes deletion copies, and notes that the collection was changed. */
  void purge(List<String> ids) {
    sql.change(
        "DELETE FROM %s d WHERE (d.jsondata->>'id') COLLATE \"C\" = ANY (?)".formatted(deleted),
        ids);
    sql.call("SELECT %s.naksha_signal('MODIFY_FEATURES', ?)", info.id());
  }

  /** Returns the current states of features. */
  Map<String, Feature> current(List<String> ids) {
    return states(
        ("SELECT h.jsondata, h.geo FROM unnest(?::text[]) AS u(id), LATERAL"
                + " (SELECT * FROM %s h WHERE %s OFFSET 0) AS h")
            .formatted(head, FeatureRows.same(info)),
        ids);
  }

  /**
   * Returns the last states of features that are deleted and not purged; locked, in the order of
   * their ids.
   */
  Map<String, Feature> deletionCopies(List<String> ids) {
    return states(
        ("SELECT d.jsondata, d.geo FROM %s d WHERE (d.jsondata->>'id') COLLATE \"C\" = ANY (?)"
                + " ORDER BY (d.jsondata->>'id') COLLATE \"C\" FOR UPDATE")
            .formatted(deleted),
        ids);
  }

  /**
   * Returns the last states of features that this transaction has deleted, from wherever they are
   * kept.
   */
  Map<String, Feature> lastStates(List<String> ids) {
    if (!info.autoPurge()) {
      return deletionCopies(ids);
    }
    long txn = sql.queryLong("SELECT %s.naksha_txn()");
    return states(
        ("SELECT h.jsondata, h.geo FROM %1$s h WHERE (h.jsondata->>'id') COLLATE \"C\" = ANY (?)"
                + " AND (h.%2$s->>'txn_next')::bigint = ? AND (h.%2$s->>'txn')::bigint = ?"
                + " AND h.%2$s->>'action' = 'DELETE' ORDER BY h.i")
            .formatted(history, XYZ),
        ids,
        txn,
        txn);
  }

  private Map<String, Feature> states(String query, Object... arguments) {
    Map<String, Feature> states = new HashMap<>();
    sql.queryRows(query, FeatureRows::state, arguments)
        .forEach(state -> states.put(state.id().orElseThrow(), state));
    return states;
  }

  /** Returns the name of a function that the collection has for its batches. */
  private String function(String name) {
    return sql.place().table(info.id() + '_' + name);
  }

  private static Object[] columns(List<State> states) {
    return new Object[] {states.stream().map(State::i).toList(), geometries(states), texts(states)};
  }

  private static List<@Nullable String> geometries(List<State> states) {
    return Arrays.asList(states.stream().map(State::geometry).toArray(String[]::new));
  }

  private static List<String> texts(List<State> states) {
    return states.stream().map(state -> state.feature().data().toString()).toList();
  }
}
