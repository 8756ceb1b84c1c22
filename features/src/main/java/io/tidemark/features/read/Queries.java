// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import io.tidemark.features.db.PrimaryNeededException;
import io.tidemark.features.db.Session;
import io.tidemark.features.log.KeptLog;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.Field;
import io.tidemark.features.query.Handle;
import io.tidemark.features.query.Moment;
import io.tidemark.features.query.Page;
import io.tidemark.features.query.QuerySql;
import io.tidemark.features.query.QuerySql.Surrounding;
import io.tidemark.features.query.Selection;
import io.tidemark.features.query.SqlText;
import io.tidemark.features.query.States;
import io.tidemark.features.query.Undone;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts questions to PostgreSQL and reads its answers. */
final class Queries {

  /** How many rows of a long answer are held at a time. */
  private static final int FETCHED = 200;

  private final Session sql;

  Queries(Session sql) {
    this.sql = sql;
  }

  /**
   * What is to be known of the storage.
   *
   * @param snapshot the moment of this reading, as PostgreSQL writes it
   * @param firstTxn no transaction under way has a lower number
   * @param steady whether all statements of this reading see the same
   * @param server whether it follows another one
   * @param secret what handles are signed with
   * @param postgis the schema of PostGIS
   */
  private record Storage(
      String snapshot,
      long firstTxn,
      boolean steady,
      Server server,
      String secret,
      String postgis) {}

  private enum Server {
    PRIMARY,
    REPLICA
  }

  /** A feature and the place of its row in the answer. */
  private record Row(Feature feature, List<String> place, int collection) {}

  /**
   * Rows of an answer.
   *
   * @param snapshot the moment they are of
   */
  private record Shown(List<Row> rows, String snapshot) {}

  Page page(FeatureQuery query) {
    Storage storage = storage();
    int limit = query.limit().orElse(FeatureQuery.USUAL_LIMIT);
    @Nullable Handle from =
        query.handle().map(text -> Handle.parse(text, query, storage.secret())).orElse(null);
    long version = from == null ? version(query.states()) : from.version();
    QuerySql question = question(query, storage, from, version);
    // One more than is wanted tells whether there are more.
    Shown shown = shown(query, question, limit + 1, storage);
    List<Row> rows = shown.rows();
    List<Row> wanted = rows.size() > limit ? rows.subList(0, limit) : rows;
    List<Feature> features = wanted.stream().map(Row::feature).toList();
    if (wanted.size() == rows.size()) {
      return new Page(features, null);
    }
    Row last = wanted.get(limit - 1);
    Moment moment = from == null ? moment(storage, shown.snapshot()) : from.moment();
    Handle next = new Handle(moment, version, last.place(), last.collection());
    return new Page(features, next.text(query, storage.secret()));
  }

  /** What else was committed since the storage was looked at is there, unless that was the same. */
  private Shown shown(FeatureQuery query, QuerySql question, int most, Storage storage) {
    SqlText statement = question.statement(most);
    List<String> snapshots = new ArrayList<>(List.of(storage.snapshot()));
    List<Row> rows =
        sql.rows(
            "SELECT page.*, pg_current_snapshot()::text FROM (" + statement.text() + ") AS page",
            row -> {
              snapshots.set(0, row.getString(QuerySql.COLUMNS + question.sortColumns() + 1));
              return row(row, query, question.sortColumns());
            },
            statement.arguments().toArray());
    return new Shown(rows, snapshots.get(0));
  }

  private QuerySql question(
      FeatureQuery query, Storage storage, @Nullable Handle from, long version) {
    if (from != null && storage.server() == Server.REPLICA) {
      requireHere(from.moment());
    }
    Surrounding surrounding = surrounding(query, storage, version);
    if (from == null) {
      return QuerySql.first(query, surrounding);
    }
    checkLog(from.moment());
    return QuerySql.next(query, surrounding, from, undone(storage, from.moment()));
  }

  private Undone undone(Storage storage, Moment moment) {
    String schema = sql.place().schema();
    return storage.steady()
        ? Undone.of(numbers(moment.unseen(schema)))
        : Undone.since(moment, schema);
  }

  /** Otherwise the page would lack what those before it could have shown. */
  private void requireHere(Moment moment) {
    SqlText here = moment.here(sql.place().schema());
    if (!sql.yes(here.text(), here.arguments().toArray())) {
      throw new PrimaryNeededException(
          "this replica doesn't have all that the first page was made of; ask the primary, or"
              + " again when the replica has caught up");
    }
  }

  /** The moment of this reading, for whoever goes on later, perhaps on another server. */
  private Moment moment(Storage storage, String shown) {
    String snapshot = storage.server() == Server.REPLICA ? completed(storage) : shown;
    SqlText seen = Moment.seen(sql.place().schema(), snapshot, storage.firstTxn());
    return new Moment(snapshot, storage.firstTxn(), numbers(seen).get(0));
  }

  private String completed(Storage storage) {
    SqlText whole = Moment.onReplica(sql.place().schema(), storage.snapshot(), storage.firstTxn());
    return sql.text(whole.text(), whole.arguments().toArray())
        .orElseThrow(
            () ->
                new PrimaryNeededException(
                    "a transaction has been open for so long that this replica can't tell which"
                        + " others are; ask the primary, or ask for all on one page"));
  }

  private List<Long> numbers(SqlText question) {
    return sql.rows(question.text(), row -> row.getLong(1), question.arguments().toArray());
  }

  private void checkLog(Moment moment) {
    new KeptLog(sql).checkSince(moment.snapshot());
  }

  long each(FeatureQuery query, Consumer<Feature> action) {
    if (query.handle().isPresent()) {
      throw new InvalidRequestException(
          "a stream can't go on at a handle; read pages, or stream from the beginning");
    }
    QuerySql question =
        QuerySql.stream(query, surrounding(query, storage(), version(query.states())));
    SqlText statement = question.statement(query.limit().orElse(0));
    return sql.each(
        FETCHED,
        question.computed(),
        statement.text(),
        row -> action.accept(row(row, query, 0).feature()),
        statement.arguments().toArray());
  }

  List<String> explain(FeatureQuery query) {
    Storage storage = storage();
    @Nullable Handle from =
        query.handle().map(text -> Handle.parse(text, query, storage.secret())).orElse(null);
    long version = from == null ? version(query.states()) : from.version();
    SqlText statement =
        question(query, storage, from, version)
            .statement(query.limit().orElse(FeatureQuery.USUAL_LIMIT) + 1);
    return sql.texts("EXPLAIN " + statement.text(), statement.arguments().toArray());
  }

  private Storage storage() {
    return sql.one(
        "SELECT pg_current_snapshot()::text, %s.naksha_first_open_txn(),"
            + " current_setting('transaction_isolation') <> 'read committed',"
            + " (SELECT value FROM %s.naksha_secret), ("
            + Session.FOLLOWS
            + "), ("
            + Session.POSTGIS
            + ")",
        row ->
            new Storage(
                row.getString(1),
                row.getLong(2),
                row.getBoolean(3),
                row.getBoolean(5) ? Server.REPLICA : Server.PRIMARY,
                row.getString(4),
                row.getString(6)));
  }

  private Surrounding surrounding(FeatureQuery query, Storage storage, long version) {
    List<CollectionInfo> collections =
        sql
            .texts(
                "SELECT %s.naksha_collection_find(u.c) FROM unnest(?::text[]) WITH ORDINALITY"
                    + " AS u(c, n) ORDER BY u.n",
                query.collections())
            .stream()
            .map(CollectionInfo::parse)
            .toList();
    if (query.states().arePast()) {
      KeptHistory history = new KeptHistory(sql);
      collections.forEach(info -> history.hold(info.id(), version));
    }
    return new Surrounding(collections, sql.place(), storage.postgis(), version);
  }

  private long version(States states) {
    if (states instanceof States.At at) {
      return at.version().value();
    }
    return states instanceof States.AtMoment at
        ? new KeptLog(sql).lastUpTo(at.moment())
        : Long.MAX_VALUE;
  }

  private static Row row(ResultSet row, FeatureQuery query, int sortColumns) throws SQLException {
    List<String> place = new ArrayList<>();
    for (int i = 1; i <= sortColumns; i++) {
      place.add(row.getString(QuerySql.COLUMNS + i));
    }
    return new Row(feature(row, query), place, row.getInt(QuerySql.COLUMNS));
  }

  private static Feature feature(ResultSet row, FeatureQuery query) throws SQLException {
    Optional<List<Field>> selected = query.selection();
    if (selected.isEmpty()) {
      return FeatureRows.state(row);
    }
    String[] parts = (String[]) row.getArray(1).getArray();
    return new Feature(Selection.of(parts, selected.get()), FeatureRows.geometry(row));
  }
}
