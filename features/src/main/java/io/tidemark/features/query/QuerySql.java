// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.db.SchemaLocation;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.InvalidRequestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translator of a query into one statement: one part for each table of each collection, all of them
 * sorted and limited as a whole.
 *
 * <p>Its columns are {@code jsondata}, or the parts of it that a {@link FieldSelection} asks for,
 * {@code geo}, the number of the collection, and the sort columns.
 */
public final class QuerySql {

  /** The columns before those that the answer is sorted by. */
  public static final int COLUMNS = 3;

  private static final int MOST_ARGUMENTS = 60_000;

  private final FeatureQuery query;
  private final QueryContext queryContext;
  private final SortKeys sortKeys;
  private final @Nullable PageCursor from;
  private final ExcludedTransactions excludedTransactions;

  private QuerySql(
      FeatureQuery query,
      QueryContext queryContext,
      SortKeys sortKeys,
      @Nullable PageCursor from,
      ExcludedTransactions excludedTransactions) {
    this.query = query;
    this.queryContext = queryContext;
    this.sortKeys = sortKeys;
    this.from = from;
    this.excludedTransactions = excludedTransactions;
  }

  /**
   * Context that a query needs to become SQL.
   *
   * @param collections the infos of the collections, in the order of the query
   * @param place the location of the storage
   * @param postgis the schema of PostGIS
   * @param version the last transaction that counts
   */
  public record QueryContext(
      List<CollectionInfo> collections, SchemaLocation place, String postgis, long version) {
    public QueryContext {
      collections = List.copyOf(collections);
    }
  }

  /** Returns the SQL of the first page. */
  public static QuerySql first(FeatureQuery query, QueryContext queryContext) {
    return new QuerySql(query, queryContext, pageKeys(query), null, ExcludedTransactions.NONE);
  }

  /**
   * Returns the SQL of a further page.
   *
   * @param excludedTransactions the transactions that were invisible when the first page was made
   */
  public static QuerySql next(
      FeatureQuery query,
      QueryContext queryContext,
      PageCursor from,
      ExcludedTransactions excludedTransactions) {
    return new QuerySql(query, queryContext, pageKeys(query), from, excludedTransactions);
  }

  /** Returns the SQL of all features, in any order unless the query has one. */
  public static QuerySql stream(FeatureQuery query, QueryContext queryContext) {
    SortKeys sortKeys =
        query
            .order()
            .map(featureOrder -> SortKeys.of(featureOrder, query.states()))
            .orElse(SortKeys.none());
    return new QuerySql(query, queryContext, sortKeys, null, ExcludedTransactions.NONE);
  }

  private static SortKeys pageKeys(FeatureQuery query) {
    return SortKeys.of(query.order().orElse(FeatureOrder.BY_ID), query.states());
  }

  /**
   * Returns the columns of the answer except the sort columns, as values that the server computes.
   */
  public List<String> computed() {
    String feature = query.selection().isPresent() ? "jsondata" : "jsondata::text";
    return List.of(feature, "geo::text", "k_collection");
  }

  /** Returns the number of sort columns. */
  public int sortColumns() {
    return sortKeys.columns().size();
  }

  /**
   * Returns the statement.
   *
   * @param limit how many rows are wanted; 0 for all
   */
  public SqlFragment statement(int limit) {
    List<SqlFragment> arms = new ArrayList<>();
    for (int number = 0; number < queryContext.collections().size(); number++) {
      arms.addAll(unionParts(number, limit));
    }
    SqlFragment whole = arms.get(0);
    if (arms.size() > 1) {
      whole =
          SqlFragment.of("SELECT * FROM (")
              .then(
                  SqlFragment.join(
                      " UNION ALL ", arms.stream().map(SqlFragment::bracketed).toList()))
              .then(") AS arms" + ending(limit));
    }
    if (whole.arguments().size() > MOST_ARGUMENTS) {
      throw new InvalidRequestException(
          "the query has %d values over all collections; ask for less at once"
              .formatted(whole.arguments().size()));
    }
    return whole;
  }

  private String ending(int limit) {
    String sorted = sortKeys.columns().isEmpty() ? "" : sortKeys.sorted("k_collection");
    return sorted + (limit > 0 ? " LIMIT " + limit : "");
  }

  private List<SqlFragment> unionParts(int number, int limit) {
    CollectionInfo info = queryContext.collections().get(number);
    StateSelection stateSelection = query.states();
    List<SqlFragment> arms = new ArrayList<>();
    // Without a history there is nothing to go back to, and the current states have to do.
    ExcludedTransactions unseen =
        info.historyEnabled() ? excludedTransactions : ExcludedTransactions.NONE;
    arms.add(unionPart(number, limit, "", headStates(info, unseen)));
    if (stateSelection instanceof StateSelection.All
        || stateSelection.isPast()
        || !unseen.isEmpty()) {
      arms.add(unionPart(number, limit, "_hst", historyStates(info, unseen)));
    }
    if (stateSelection instanceof StateSelection.WithDeleted) {
      arms.add(unionPart(number, limit, "_del", seen(unseen)));
    }
    if (stateSelection instanceof StateSelection.All) {
      List<SqlFragment> once = seen(unseen);
      once.add(
          SqlFragment.of(
              "NOT EXISTS (SELECT FROM %s s WHERE s.i = h.i)"
                  .formatted(queryContext.place().table(info.id() + "_hst"))));
      arms.add(unionPart(number, limit, "_del", once));
    }
    return arms;
  }

  /** Returns the condition that a state was made by a visible transaction. */
  private static List<SqlFragment> seen(ExcludedTransactions unseen) {
    List<SqlFragment> conditions = new ArrayList<>();
    if (!unseen.isEmpty()) {
      conditions.add(
          SqlFragment.of("coalesce(%s, 0) <> ALL (".formatted(FeatureFilterSql.TXN))
              .then(unseen.array())
              .then(")"));
    }
    return conditions;
  }

  private List<SqlFragment> headStates(CollectionInfo info, ExcludedTransactions unseen) {
    List<SqlFragment> conditions = seen(unseen);
    conditions.add(SqlFragment.of(queryContext.place().unreplacedCondition(info)));
    if (query.states().isPast()) {
      conditions.add(
          SqlFragment.of(FeatureFilterSql.TXN + " <= ?::bigint", queryContext.version()));
      conditions.add(notOvertaken(info, unseen));
    }
    if (info.partitioned()) {
      query
          .ids()
          .ifPresent(
              ids ->
                  conditions.add(
                      SqlFragment.of(
                          "substring(md5(h.jsondata->>'id'), 1, 1) = ANY (?::text[])",
                          leaves(new StoredIdRewriter(info).toStored(ids)))));
    }
    return conditions;
  }

  /**
   * Returns the condition that a state was current, and was replaced by a transaction that doesn't
   * count. Only the days from the first of those on are read.
   */
  private List<SqlFragment> historyStates(CollectionInfo info, ExcludedTransactions unseen) {
    List<SqlFragment> conditions = seen(unseen);
    if (query.states() instanceof StateSelection.All) {
      return conditions;
    }
    String next = FeatureFilterSql.TXN_NEXT;
    if (!query.states().isPast()) {
      conditions.add(SqlFragment.of(next + " = ANY (").then(unseen.array()).then(")"));
      conditions.add(SqlFragment.of(next + " >= ?::bigint", unseen.first()));
      return conditions;
    }
    long version = queryContext.version();
    conditions.add(SqlFragment.of(FeatureFilterSql.TXN + " <= ?::bigint", version));
    conditions.add(notOvertaken(info, unseen));
    if (unseen.first() > version) {
      conditions.add(SqlFragment.of(next + " > ?::bigint", version));
      return conditions;
    }
    conditions.add(SqlFragment.of(next + " >= ?::bigint", unseen.first()));
    conditions.add(
        SqlFragment.of("(%1$s > ?::bigint OR %1$s = ANY (".formatted(next), version)
            .then(unseen.array())
            .then("))"));
    return conditions;
  }

  /**
   * Returns the condition that no later transaction has made another current state; evaluated once
   * per table.
   */
  private SqlFragment notOvertaken(CollectionInfo info, ExcludedTransactions unseen) {
    SqlFragment among =
        query
            .ids()
            .map(ids -> SqlFragment.of(", ?::text[]", new StoredIdRewriter(info).toStored(ids)))
            .orElse(SqlFragment.of(""));
    return SqlFragment.of(
            "h.i <> ALL ((SELECT %s.naksha_overtaken(?, ?::bigint, "
                .formatted(queryContext.place().schema()),
            info.id(),
            queryContext.version())
        .then(unseen.array())
        .then(among)
        .then("))::bigint[])");
  }

  private SqlFragment unionPart(int number, int limit, String suffix, List<SqlFragment> states) {
    CollectionInfo info = queryContext.collections().get(number);
    StoredIdRewriter stored = new StoredIdRewriter(info);
    List<SqlFragment> conditions = new ArrayList<>(states);
    query
        .ids()
        .map(stored::toStored)
        .ifPresent(
            ids -> conditions.add(SqlFragment.of(FeatureFilterSql.ID + " = ANY (?::text[])", ids)));
    query.area().ifPresent(a -> conditions.add(areas().of(a)));
    query.tags().ifPresent(t -> conditions.add(FeatureFilterSql.of(t)));
    query.filters().stream()
        .map(stored::toStored)
        .map(FeatureFilterSql::of)
        .forEach(conditions::add);
    if (from != null) {
      SortKeys.TieOrder tieOrder =
          comesLater(number, from) ? SortKeys.TieOrder.AFTER : SortKeys.TieOrder.BEFORE;
      conditions.add(sortKeys.after(from.place(), tieOrder));
    }
    SqlFragment where =
        conditions.isEmpty()
            ? SqlFragment.of("")
            : SqlFragment.of(" WHERE ").then(SqlFragment.join(" AND ", conditions));
    return SqlFragment.of("SELECT ")
        .then(query.selection().map(FieldSelection::sql).orElse(SqlFragment.of("h.jsondata")))
        .then(", ")
        .then(geometry())
        .then(" AS geo, %d AS k_collection".formatted(number))
        .then(sortKeys.selected())
        .then(" FROM %s h".formatted(queryContext.place().table(info.id() + suffix)))
        .then(where)
        .then(sortKeys.sorted("") + (limit > 0 ? " LIMIT " + limit : ""));
  }

  /** Of rows that are alike, those of a collection with a higher number are the larger. */
  private boolean comesLater(int number, PageCursor place) {
    return sortKeys.descending() ? number < place.collection() : number > place.collection();
  }

  private AreaSql areas() {
    return new AreaSql(queryContext.postgis(), queryContext.place().schema());
  }

  private SqlFragment geometry() {
    return query.clipped() ? areas().clipped(query.area().orElseThrow()) : SqlFragment.of("h.geo");
  }

  /** Returns the leaves that ids are in. */
  private static List<String> leaves(List<String> ids) {
    try {
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      return ids.stream()
          .map(id -> HexFormat.of().formatHex(md5.digest(id.getBytes(UTF_8))).substring(0, 1))
          .distinct()
          .sorted()
          .toList();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
