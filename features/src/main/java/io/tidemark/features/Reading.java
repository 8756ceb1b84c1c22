// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import io.tidemark.features.activity.Activity;
import io.tidemark.features.activity.Lives;
import io.tidemark.features.db.Session;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.geojson.Geometry;
import io.tidemark.features.log.KeptLog;
import io.tidemark.features.log.LogGoneException;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.Page;
import io.tidemark.objects.TidemarkException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Looks at features, now and in the past. A deleted collection can be read like any other.
 *
 * <p>A state is there at a version when it was made by a transaction up to that one and replaced by
 * a later one, or by none. If that is true of several states of a feature, the one with the highest
 * number counts: a transaction that took its number early may replace what a later one has made.
 *
 * <p>Ids may be given with the prefix of the collection, which is taken off them as it is when one
 * writes.
 */
public final class Reading {

  private static final String XYZ = "jsondata->'properties'->'@ns:com:here:xyz'";

  private final Session sql;
  private long told;

  Reading(Session sql) {
    this.sql = sql;
  }

  /** The collections that aren't deleted, by id. */
  public List<CollectionInfo> collections() {
    return new Collections(sql).list();
  }

  /** All collections, by id. */
  public List<CollectionInfo> collectionsWithDeleted() {
    return new Collections(sql).listWithDeleted();
  }

  /**
   * A collection, deleted or not, with an estimate of what is in it.
   *
   * @throws CollectionNotFoundException if there is no such collection
   */
  public CollectionInfo collection(String id) {
    return new Collections(sql).info(id);
  }

  /** The feature as it is; empty when there is none. */
  public Optional<Feature> byId(String collection, String id) {
    return byIds(collection, List.of(id)).stream().findFirst();
  }

  /** Those of the features that are there, in the order in which they are asked for. */
  public List<Feature> byIds(String collection, List<String> ids) {
    CollectionInfo info = info(collection);
    List<String> stored = ids.stream().map(info::stored).toList();
    return inOrder(stored, states(head(info), stored));
  }

  /**
   * Those of the features that were there at a version, in the order in which they are asked for.
   */
  public List<Feature> byIdsAt(String collection, List<String> ids, Txn version) {
    return at(collection, ids, version.value());
  }

  /**
   * Those of the features that were there at a moment: all that was done by transactions that began
   * by then, in the order in which they are asked for.
   *
   * @throws LogGoneException if the log of that day was dropped
   */
  public List<Feature> byIdsAt(String collection, List<String> ids, Instant moment) {
    return at(collection, ids, new KeptLog(sql).lastUpTo(moment));
  }

  /** The state with a GUID, wherever it is kept; empty when nobody has it, or has it any more. */
  public Optional<Feature> byGuid(Guid guid) {
    if (!guid.storage().equals(sql.place().storageId())) {
      return Optional.empty();
    }
    String any = "SELECT jsondata, geo FROM %s WHERE i = ?";
    CollectionInfo info = info(guid.collection());
    return states(
            any.formatted(table(info, ""))
                + " UNION ALL "
                + any.formatted(table(info, "_hst"))
                + " AND (%s->>'txn_next')::bigint >= ? UNION ALL ".formatted(XYZ)
                + any.formatted(table(info, "_del")),
            guid.i(),
            guid.i(),
            weekBefore(guid.day()),
            guid.i())
        .stream()
        .filter(state -> state.xyz().flatMap(Xyz::uuid).map(Guid::parse).equals(Optional.of(guid)))
        .findFirst();
  }

  /**
   * All states of a feature that are kept, the first first, with that of its deletion; see {@link
   * Lives}.
   */
  public List<Feature> versions(String collection, String idOrPrefixed) {
    CollectionInfo info = info(collection);
    String id = info.stored(idOrPrefixed);
    List<String> arms = new ArrayList<>();
    List<Object> arguments = new ArrayList<>();
    String own = "SELECT jsondata, geo, i FROM %s WHERE (jsondata->>'id') COLLATE \"C\" = ?";
    for (String table : historyTables(info, List.of(id), 0)) {
      arms.add(own.formatted(sql.place().table(table)));
      arguments.add(id);
    }
    arms.add(own.formatted(table(info, "_del")));
    arguments.add(id);
    arms.add(own.formatted(table(info, "")));
    arguments.add(id);
    if (info.partitioned()) {
      arms.add(arms.remove(arms.size() - 1) + Head.LEAF_OF_ID);
      arguments.add(id);
    }
    return Lives.inOrder(
        states(
            "SELECT jsondata, geo FROM (SELECT DISTINCT ON (i) * FROM ("
                + String.join(" UNION ALL ", arms)
                + ") AS kept ORDER BY i) AS once ORDER BY (%s->>'txn')::bigint, i".formatted(XYZ),
            arguments.toArray()));
  }

  /** What was done to a feature, the newest first; see {@link Activity}. */
  public List<Activity> activity(String collection, String id) {
    return Activity.of(collection, versions(collection, id));
  }

  /**
   * All states that a transaction has made in a collection and that are kept, those of deletions
   * included, in the order in which they were made.
   */
  public List<Feature> madeBy(String collection, Txn txn) {
    CollectionInfo info = info(collection);
    String own =
        "SELECT jsondata, geo, i FROM %s WHERE (" + XYZ + "->>'txn')::bigint = " + txn.value();
    return states(
        "SELECT jsondata, geo FROM (SELECT DISTINCT ON (i) * FROM ("
            + own.formatted(table(info, "_hst"))
            // Literals, so that days before it aren't even locked.
            + " AND (%s->>'txn_next')::bigint >= %d UNION ALL "
                .formatted(XYZ, weekBefore(txn.day()))
            + own.formatted(table(info, ""))
            + " UNION ALL "
            + own.formatted(table(info, "_del"))
            + ") AS kept ORDER BY i) AS once");
  }

  /** The last states of those of the features that are deleted and not purged. */
  public List<Feature> deleted(String collection, List<String> ids) {
    CollectionInfo info = info(collection);
    String query = "SELECT jsondata, geo FROM %s WHERE (jsondata->>'id') COLLATE \"C\" = ANY (?)";
    List<String> stored = ids.stream().map(info::stored).toList();
    return inOrder(stored, states(query.formatted(table(info, "_del")), stored));
  }

  /**
   * Features by place, tags, properties and more. All pages of an answer are of the moment of the
   * first, as far as the collections keep their history; see {@link FeatureQuery#after}.
   *
   * @throws CollectionNotFoundException if there is no such collection
   * @throws InvalidRequestException if the handle isn't one of this query and this storage
   * @throws LogGoneException if the log that the handle or a moment needs was dropped
   */
  public Page query(FeatureQuery query) {
    return new Queries(sql).page(query);
  }

  /**
   * The same without an end: does something with each feature, in any order unless the query has
   * one, and holds only a few at a time. There is no limit unless the query has one.
   *
   * @return how many there were
   */
  public long each(FeatureQuery query, Consumer<Feature> action) {
    return new Queries(sql)
        .each(
            query,
            feature -> {
              told++;
              action.accept(feature);
            });
  }

  /**
   * Fails if features were handed out, so that whoever got them must know that there is no more.
   */
  void checkUntold(TidemarkException why) {
    if (told > 0) {
      throw new StorageUnavailableException(
          ("a replica has broken off the read after %d features: %s; begin again, ask for pages, or"
                  + " let the replica wait for who reads (max_standby_streaming_delay)")
              .formatted(told, why.getMessage()),
          why);
    }
  }

  /** How PostgreSQL would answer a query, in its own words. */
  public List<String> explain(FeatureQuery query) {
    return new Queries(sql).explain(query);
  }

  private List<Feature> at(String collection, List<String> ids, long version) {
    CollectionInfo info = info(collection);
    List<String> stored = ids.stream().map(info::stored).toList();
    return inOrder(stored, at(info, stored, version));
  }

  private List<Feature> at(CollectionInfo info, List<String> ids, long version) {
    List<Feature> found = new ArrayList<>();
    found.addAll(
        states(head(info) + " WHERE (h.%s->>'txn')::bigint <= ?".formatted(XYZ), ids, version));
    List<String> tables = historyTables(info, ids, version);
    if (!tables.isEmpty()) {
      found.addAll(states(at(tables, version), ids));
    }
    return found;
  }

  private String at(List<String> tables, long version) {
    String arm =
        ("SELECT h.jsondata, h.geo FROM u JOIN %1$s h ON (h.jsondata->>'id') COLLATE \"C\" = u.id"
            + " WHERE (h.%2$s->>'txn')::bigint <= %3$d AND (h.%2$s->>'txn_next')::bigint > %3$d");
    return "WITH u AS MATERIALIZED (SELECT unnest(?::text[]) AS id) "
        + tables.stream()
            .map(table -> arm.formatted(sql.place().table(table), XYZ, version))
            .collect(Collectors.joining(" UNION ALL "));
  }

  /** The tables that can have states of some features that were replaced after a version. */
  private List<String> historyTables(CollectionInfo info, List<String> ids, long version) {
    return sql.texts("SELECT %s.naksha_history_tables(?, ?, ?)", info.id(), ids, version);
  }

  /**
   * The first number that can have ended a state of a day: a transaction that has its number may
   * write for a while, and then replaces states with higher ones.
   */
  private static long weekBefore(LocalDate day) {
    LocalDate first = day.minusDays(7);
    return first.getYear() < 1 ? 0 : Txn.of(first, 0).value();
  }

  private CollectionInfo info(String collection) {
    return CollectionInfo.parse(
        sql.text("SELECT %s.naksha_collection_find(?)", collection).orElseThrow());
  }

  private String table(CollectionInfo info, String suffix) {
    return sql.place().table(info.id() + suffix);
  }

  private String head(CollectionInfo info) {
    // Not a join that could be done in another way: each id is looked up, in its own leaf only.
    return "SELECT h.jsondata, h.geo FROM unnest(?::text[]) AS u(id), LATERAL (SELECT * FROM %s h"
            .formatted(table(info, ""))
        + " WHERE %s OFFSET 0) AS h".formatted(Head.same(info));
  }

  private List<Feature> states(String query, Object... arguments) {
    return sql.rows(query, Reading::state, arguments);
  }

  /** A row of {@code jsondata} and {@code geo}. */
  static Feature state(ResultSet row) throws SQLException {
    String geometry = row.getString(2);
    return new Feature(
        GeoJson.object(row.getString(1)), geometry == null ? null : new Geometry(geometry));
  }

  /** In the order of the ids; of two states of a feature, that of the later transaction counts. */
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
