// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.db.Place;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.InvalidRequestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a statement of a question: one part for each table of each collection, all of them sorted
 * and limited as a whole.
 *
 * <p>Its columns are {@code jsondata}, or the parts of it that a {@link Selection} asks for, {@code
 * geo}, the number of the collection, and those it is sorted by.
 */
public final class QuerySql {

  /** The columns before those that the answer is sorted by. */
  public static final int COLUMNS = 3;

  private static final int MOST_ARGUMENTS = 60_000;

  private final FeatureQuery query;
  private final Surrounding surrounding;
  private final Keys keys;
  private final @Nullable Handle from;
  private final Undone undone;

  private QuerySql(
      FeatureQuery query,
      Surrounding surrounding,
      Keys keys,
      @Nullable Handle from,
      Undone undone) {
    this.query = query;
    this.surrounding = surrounding;
    this.keys = keys;
    this.from = from;
    this.undone = undone;
  }

  /**
   * What is to be known to put a question.
   *
   * @param collections what is known of the collections, in the order of the question
   * @param place where the storage is
   * @param postgis the schema of PostGIS
   * @param version the last transaction whose work counts
   */
  public record Surrounding(
      List<CollectionInfo> collections, Place place, String postgis, long version) {
    public Surrounding {
      collections = List.copyOf(collections);
    }
  }

  /** The first page. */
  public static QuerySql first(FeatureQuery query, Surrounding surrounding) {
    return new QuerySql(query, surrounding, pageKeys(query), null, Undone.NONE);
  }

  /**
   * A further page.
   *
   * @param undone the transactions that weren't to be seen when the first page was made
   */
  public static QuerySql next(
      FeatureQuery query, Surrounding surrounding, Handle from, Undone undone) {
    return new QuerySql(query, surrounding, pageKeys(query), from, undone);
  }

  /** All of it, in any order unless one is asked for. */
  public static QuerySql stream(FeatureQuery query, Surrounding surrounding) {
    Keys keys = query.order().map(order -> Keys.of(order, query.states())).orElse(Keys.none());
    return new QuerySql(query, surrounding, keys, null, Undone.NONE);
  }

  private static Keys pageKeys(FeatureQuery query) {
    return Keys.of(query.order().orElse(Order.BY_ID), query.states());
  }

  /** The columns of the answer but those it is sorted by, as values that the server computes. */
  public List<String> computed() {
    String feature = query.selection().isPresent() ? "jsondata" : "jsondata::text";
    return List.of(feature, "geo::text", "k_collection");
  }

  /** How many columns the answer is sorted by. */
  public int sortColumns() {
    return keys.columns().size();
  }

  /**
   * The statement.
   *
   * @param limit how many rows are wanted; 0 for all
   */
  public SqlText statement(int limit) {
    List<SqlText> arms = new ArrayList<>();
    for (int number = 0; number < surrounding.collections().size(); number++) {
      arms.addAll(arms(number, limit));
    }
    SqlText whole = arms.get(0);
    if (arms.size() > 1) {
      whole =
          SqlText.of("SELECT * FROM (")
              .then(SqlText.join(" UNION ALL ", arms.stream().map(SqlText::bracketed).toList()))
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
    String sorted = keys.columns().isEmpty() ? "" : keys.sorted("k_collection");
    return sorted + (limit > 0 ? " LIMIT " + limit : "");
  }

  private List<SqlText> arms(int number, int limit) {
    CollectionInfo info = surrounding.collections().get(number);
    States states = query.states();
    List<SqlText> arms = new ArrayList<>();
    // Without a history there is nothing to go back to, and the current states have to do.
    Undone unseen = info.historyEnabled() ? undone : Undone.NONE;
    arms.add(arm(number, limit, "", headStates(info, unseen)));
    if (states instanceof States.All || states.arePast() || !unseen.none()) {
      arms.add(arm(number, limit, "_hst", historyStates(info, unseen)));
    }
    if (states instanceof States.WithDeleted) {
      arms.add(arm(number, limit, "_del", seen(unseen)));
    }
    if (states instanceof States.All) {
      List<SqlText> once = seen(unseen);
      once.add(
          SqlText.of(
              "NOT EXISTS (SELECT FROM %s s WHERE s.i = h.i)"
                  .formatted(surrounding.place().table(info.id() + "_hst"))));
      arms.add(arm(number, limit, "_del", once));
    }
    return arms;
  }

  /** That a state was made by a transaction that was to be seen. */
  private static List<SqlText> seen(Undone unseen) {
    List<SqlText> conditions = new ArrayList<>();
    if (!unseen.none()) {
      conditions.add(
          SqlText.of("coalesce(%s, 0) <> ALL (".formatted(FilterSql.TXN))
              .then(unseen.array())
              .then(")"));
    }
    return conditions;
  }

  private List<SqlText> headStates(CollectionInfo info, Undone unseen) {
    List<SqlText> conditions = seen(unseen);
    conditions.add(SqlText.of(surrounding.place().steady(info)));
    if (query.states().arePast()) {
      conditions.add(SqlText.of(FilterSql.TXN + " <= ?::bigint", surrounding.version()));
      conditions.add(notOvertaken(info, unseen));
    }
    if (info.partitioned()) {
      query
          .ids()
          .ifPresent(
              ids ->
                  conditions.add(
                      SqlText.of(
                          "substring(md5(h.jsondata->>'id'), 1, 1) = ANY (?::text[])",
                          leaves(new StoredIds(info).of(ids)))));
    }
    return conditions;
  }

  /**
   * That a state was there, and was replaced by a transaction that doesn't count. Only the days
   * from the first of those on are looked at.
   */
  private List<SqlText> historyStates(CollectionInfo info, Undone unseen) {
    List<SqlText> conditions = seen(unseen);
    if (query.states() instanceof States.All) {
      return conditions;
    }
    String next = FilterSql.TXN_NEXT;
    if (!query.states().arePast()) {
      conditions.add(SqlText.of(next + " = ANY (").then(unseen.array()).then(")"));
      conditions.add(SqlText.of(next + " >= ?::bigint", unseen.first()));
      return conditions;
    }
    long version = surrounding.version();
    conditions.add(SqlText.of(FilterSql.TXN + " <= ?::bigint", version));
    conditions.add(notOvertaken(info, unseen));
    if (unseen.first() > version) {
      conditions.add(SqlText.of(next + " > ?::bigint", version));
      return conditions;
    }
    conditions.add(SqlText.of(next + " >= ?::bigint", unseen.first()));
    conditions.add(
        SqlText.of("(%1$s > ?::bigint OR %1$s = ANY (".formatted(next), version)
            .then(unseen.array())
            .then("))"));
    return conditions;
  }

  /** That no later transaction has made a state that is there, too; asked once a table. */
  private SqlText notOvertaken(CollectionInfo info, Undone unseen) {
    SqlText among =
        query
            .ids()
            .map(ids -> SqlText.of(", ?::text[]", new StoredIds(info).of(ids)))
            .orElse(SqlText.of(""));
    return SqlText.of(
            "h.i <> ALL ((SELECT %s.naksha_overtaken(?, ?::bigint, "
                .formatted(surrounding.place().schema()),
            info.id(),
            surrounding.version())
        .then(unseen.array())
        .then(among)
        .then("))::bigint[])");
  }

  private SqlText arm(int number, int limit, String suffix, List<SqlText> states) {
    CollectionInfo info = surrounding.collections().get(number);
    StoredIds stored = new StoredIds(info);
    List<SqlText> conditions = new ArrayList<>(states);
    query
        .ids()
        .map(stored::of)
        .ifPresent(ids -> conditions.add(SqlText.of(FilterSql.ID + " = ANY (?::text[])", ids)));
    query.area().ifPresent(a -> conditions.add(areas().of(a)));
    query.tags().ifPresent(t -> conditions.add(FilterSql.of(t)));
    query.filters().stream().map(stored::of).map(FilterSql::of).forEach(conditions::add);
    if (from != null) {
      Keys.Ties ties = comesLater(number, from) ? Keys.Ties.AFTER : Keys.Ties.BEFORE;
      conditions.add(keys.after(from.place(), ties));
    }
    SqlText where =
        conditions.isEmpty()
            ? SqlText.of("")
            : SqlText.of(" WHERE ").then(SqlText.join(" AND ", conditions));
    return SqlText.of("SELECT ")
        .then(query.selection().map(Selection::sql).orElse(SqlText.of("h.jsondata")))
        .then(", ")
        .then(geometry())
        .then(" AS geo, %d AS k_collection".formatted(number))
        .then(keys.selected())
        .then(" FROM %s h".formatted(surrounding.place().table(info.id() + suffix)))
        .then(where)
        .then(keys.sorted("") + (limit > 0 ? " LIMIT " + limit : ""));
  }

  /** Of rows that are alike, those of a collection with a higher number are the larger. */
  private boolean comesLater(int number, Handle place) {
    return keys.descending() ? number < place.collection() : number > place.collection();
  }

  private AreaSql areas() {
    return new AreaSql(surrounding.postgis(), surrounding.place().schema());
  }

  private SqlText geometry() {
    return query.clipped() ? areas().clipped(query.area().orElseThrow()) : SqlText.of("h.geo");
  }

  /** The leaves that ids are in. */
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
