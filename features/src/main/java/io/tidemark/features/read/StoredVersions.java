// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import io.tidemark.features.activity.VersionChain;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.Txn;
import io.tidemark.features.model.XyzNamespace;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The stored states of a collection, across its tables, and the statements that find them by id,
 * number or transaction. Of the history, only days that can have a match are read, since each day
 * adds to the planning time.
 *
 * @param sql where to ask
 * @param info the collection
 */
record StoredVersions(SqlSession sql, CollectionInfo info) {

  private static final String XYZ = "jsondata->'properties'->'@ns:com:here:xyz'";

  /** Returns the current features, in the order of the given ids. */
  List<Feature> current(List<String> ids) {
    List<String> stored = stored(ids);
    return inOrder(stored, states(head(), stored));
  }

  /** Returns the features at a version, in the order of the given ids. */
  List<Feature> at(List<String> ids, long version) {
    List<String> stored = stored(ids);
    List<Feature> found = new ArrayList<>();
    found.addAll(
        states(head() + " WHERE (h.%s->>'txn')::bigint <= ?".formatted(XYZ), stored, version));
    List<String> tables = historyTables(stored, version);
    new HistoryRetention(sql).requireVersion(info.id(), version);
    if (!tables.isEmpty()) {
      found.addAll(states(replaced(tables, version), stored));
    }
    return inOrder(stored, found);
  }

  private String replaced(List<String> tables, long version) {
    String arm =
        ("SELECT h.jsondata, h.geo FROM u JOIN %1$s h ON (h.jsondata->>'id') COLLATE \"C\" = u.id"
            + " WHERE (h.%2$s->>'txn')::bigint <= %3$d AND (h.%2$s->>'txn_next')::bigint > %3$d");
    return "WITH u AS MATERIALIZED (SELECT unnest(?::text[]) AS id) "
        + tables.stream()
            .map(table -> arm.formatted(sql.place().table(table), XYZ, version))
            .collect(Collectors.joining(" UNION ALL "));
  }

  /** Returns the last states of deleted features, in the order of the given ids. */
  List<Feature> deleted(List<String> ids) {
    String query = "SELECT jsondata, geo FROM %s WHERE (jsondata->>'id') COLLATE \"C\" = ANY (?)";
    List<String> stored = stored(ids);
    return inOrder(stored, states(query.formatted(table("_del")), stored));
  }

  /** Returns the state with a GUID of this collection. */
  Optional<Feature> byGuid(Guid guid) {
    String any = "SELECT jsondata, geo FROM %s WHERE i = ?";
    return states(
            any.formatted(table(""))
                + " AND "
                + sql.place().unreplacedCondition(info)
                + " UNION ALL "
                + any.formatted(table("_hst"))
                + " AND (%s->>'txn_next')::bigint >= ? UNION ALL ".formatted(XYZ)
                + any.formatted(table("_del")),
            guid.i(),
            guid.i(),
            weekBefore(guid.day()),
            guid.i())
        .stream()
        .filter(
            state ->
                state
                    .xyz()
                    .flatMap(XyzNamespace::uuid)
                    .flatMap(Guid::find)
                    .equals(Optional.of(guid)))
        .findFirst();
  }

  /**
   * Returns all states of a feature, by transaction; a deletion has its state in two tables, and
   * once here.
   */
  List<Feature> versions(String id) {
    List<Object> arguments = new ArrayList<>();
    String kept = kept(info.stored(id), "jsondata, geo, i", List.of(), arguments);
    return states(
        "SELECT jsondata, geo FROM (%s) AS once ORDER BY (%s->>'txn')::bigint, i"
            .formatted(kept, XYZ),
        arguments.toArray());
  }

  /** Returns the states of a feature without their contents. */
  List<Version> versionLinks(String id) {
    List<Object> arguments = new ArrayList<>();
    String columns = "%1$s->>'uuid' AS uuid, %1$s->>'puuid' AS puuid, i";
    String numbers = ", (%1$s->>'txn')::bigint AS txn, (%1$s->>'txn_next')::bigint AS txn_next";
    String kept = kept(info.stored(id), (columns + numbers).formatted(XYZ), List.of(), arguments);
    return sql.queryRows(
        "SELECT uuid, puuid, i, txn_next FROM (%s) AS once ORDER BY txn, i".formatted(kept),
        row ->
            new Version(
                row.getLong(3),
                new VersionChain.Link(
                    orEmpty(row.getString(1)), orEmpty(row.getString(2)), row.getLong(4) == 0)),
        arguments.toArray());
  }

  /**
   * A state of a feature.
   *
   * @param i its number
   * @param link to the one that it was made from
   */
  record Version(long i, VersionChain.Link link) {}

  /** Returns some of the states of a feature, by their numbers. */
  Map<Long, Feature> versions(String id, List<Long> numbers) {
    List<Object> arguments = new ArrayList<>();
    String kept = kept(info.stored(id), "jsondata, geo, i", numbers, arguments);
    Map<Long, Feature> found = new HashMap<>();
    sql.queryRows(
            "SELECT jsondata, geo, i FROM (%s) AS once".formatted(kept),
            row -> Map.entry(row.getLong(3), FeatureRows.state(row)),
            arguments.toArray())
        .forEach(each -> found.put(each.getKey(), each.getValue()));
    return found;
  }

  /**
   * Returns the statement that finds the states of a feature, in all tables.
   *
   * @param columns of them; the number {@code i} among them
   * @param numbers of those that are meant; none for all
   * @param arguments gets those of the statement
   */
  private String kept(String id, String columns, List<Long> numbers, List<Object> arguments) {
    List<String> arms = new ArrayList<>();
    String own = "SELECT %s FROM %%s WHERE (jsondata->>'id') COLLATE \"C\" = ?".formatted(columns);
    String meant =
        numbers.isEmpty()
            ? ""
            : numbers.stream()
                .map(String::valueOf)
                .collect(Collectors.joining(", ", " AND i IN (", ")"));
    for (String table : historyTables(List.of(id), 0)) {
      arms.add(own.formatted(sql.place().table(table)) + meant);
      arguments.add(id);
    }
    arms.add(own.formatted(table("_del")) + meant);
    arguments.add(id);
    arms.add(
        own.formatted(table(""))
            + (info.partitioned() ? FeatureRows.LEAF_OF_ID : "")
            + meant
            + " AND "
            + sql.place().unreplacedCondition(info));
    arguments.add(id);
    if (info.partitioned()) {
      arguments.add(id);
    }
    return "SELECT DISTINCT ON (i) * FROM (%s) AS kept ORDER BY i"
        .formatted(String.join(" UNION ALL ", arms));
  }

  /** Returns all states that a transaction has made, in the order in which it made them. */
  List<Feature> madeBy(Txn txn) {
    String own =
        "SELECT jsondata, geo, i FROM %s WHERE (" + XYZ + "->>'txn')::bigint = " + txn.value();
    return states(
        "SELECT jsondata, geo FROM (SELECT DISTINCT ON (i) * FROM ("
            + own.formatted(table("_hst"))
            // Literals, so that days before it aren't even locked.
            + " AND (%s->>'txn_next')::bigint >= %d UNION ALL "
                .formatted(XYZ, weekBefore(txn.day()))
            + own.formatted(table(""))
            + " AND "
            + sql.place().unreplacedCondition(info)
            + " UNION ALL "
            + own.formatted(table("_del"))
            + ") AS kept ORDER BY i) AS once");
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private List<String> stored(List<String> ids) {
    return ids.stream().map(info::stored).toList();
  }

  /**
   * Returns the tables that can have states of some features that were replaced after a version.
   */
  private List<String> historyTables(List<String> ids, long version) {
    return sql.queryTexts("SELECT %s.naksha_history_tables(?, ?, ?)", info.id(), ids, version);
  }

  /**
   * The first number that can have ended a state of a day: a transaction that has its number may
   * write for a while, and then replaces states with higher ones.
   */
  private static long weekBefore(LocalDate day) {
    LocalDate first = day.minusDays(7);
    return first.getYear() < 1 ? 0 : Txn.of(first, 0).value();
  }

  private String table(String suffix) {
    return sql.place().table(info.id() + suffix);
  }

  private String head() {
    // Not a join that could be done in another way: each id is looked up, in its own leaf only.
    return "SELECT h.jsondata, h.geo FROM unnest(?::text[]) AS u(id), LATERAL (SELECT * FROM %s h"
            .formatted(table(""))
        + " WHERE %s AND %s OFFSET 0) AS h"
            .formatted(FeatureRows.same(info), sql.place().unreplacedCondition(info));
  }

  private List<Feature> states(String query, Object... arguments) {
    return sql.queryRows(query, FeatureRows::state, arguments);
  }

  /**
   * Sorts features in the order of the ids; of two states of a feature, that of the later
   * transaction counts.
   */
  private static List<Feature> inOrder(List<String> ids, List<Feature> found) {
    Map<String, Feature> byId = new HashMap<>();
    found.forEach(
        feature ->
            byId.merge(feature.id().orElseThrow(), feature, (a, b) -> txn(a) >= txn(b) ? a : b));
    List<Feature> ordered = new ArrayList<>();
    for (String id : ids) {
      Feature feature = byId.remove(id);
      if (feature != null) {
        ordered.add(feature);
      }
    }
    return ordered;
  }

  private static long txn(Feature state) {
    return state.data().path("properties").path(Feature.XYZ).path("txn").asLong();
  }
}
