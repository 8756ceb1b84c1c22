// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import io.tidemark.features.db.PrimaryNeededException;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.log.LogRetention;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.query.ExcludedTransactions;
import io.tidemark.features.query.FeatureField;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.FeatureQueryPage;
import io.tidemark.features.query.FieldSelection;
import io.tidemark.features.query.PageCursor;
import io.tidemark.features.query.PageSnapshot;
import io.tidemark.features.query.QuerySql;
import io.tidemark.features.query.QuerySql.QueryContext;
import io.tidemark.features.query.SqlFragment;
import io.tidemark.features.query.StateSelection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Executor of queries on PostgreSQL. */
final class FeatureQueryExecutor {

  /** Number of rows of a long answer that are held at a time. */
  private static final int FETCHED = 200;

  private final SqlSession sql;

  FeatureQueryExecutor(SqlSession sql) {
    this.sql = sql;
  }

  /**
   * State of the storage that a query depends on.
   *
   * @param snapshot the snapshot of this read, as PostgreSQL writes it
   * @param firstTxn no transaction under way has a lower number
   * @param steady whether all statements of this read share one snapshot
   * @param server whether it follows another one
   * @param secret the key that signs handles
   * @param postgis the schema of PostGIS
   */
  private record StorageState(
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
  private record FetchedRows(List<Row> rows, String snapshot) {}

  FeatureQueryPage page(FeatureQuery query) {
    StorageState storageState = storage();
    int limit = query.limit().orElse(FeatureQuery.USUAL_LIMIT);
    @Nullable PageCursor from =
        query
            .handle()
            .map(text -> PageCursor.parse(text, query, storageState.secret()))
            .orElse(null);
    long version = from == null ? version(query.states()) : from.version();
    QuerySql question = question(query, storageState, from, version);
    // One more than is wanted tells whether there are more.
    FetchedRows fetchedRows = fetchRows(query, question, limit + 1, storageState);
    List<Row> rows = fetchedRows.rows();
    List<Row> wanted = rows.size() > limit ? rows.subList(0, limit) : rows;
    List<Feature> features = wanted.stream().map(Row::feature).toList();
    if (wanted.size() == rows.size()) {
      return new FeatureQueryPage(features, null);
    }
    Row last = wanted.get(limit - 1);
    PageSnapshot pageSnapshot =
        from == null ? moment(storageState, fetchedRows.snapshot()) : from.moment();
    PageCursor next = new PageCursor(pageSnapshot, version, last.place(), last.collection());
    return new FeatureQueryPage(features, next.encode(query, storageState.secret()));
  }

  /**
   * Also returns rows committed since the storage state was read, unless both share one snapshot.
   */
  private FetchedRows fetchRows(
      FeatureQuery query, QuerySql question, int most, StorageState storageState) {
    SqlFragment statement = question.statement(most);
    List<String> snapshots = new ArrayList<>(List.of(storageState.snapshot()));
    List<Row> rows =
        sql.queryRows(
            "SELECT page.*, pg_current_snapshot()::text FROM (" + statement.text() + ") AS page",
            row -> {
              snapshots.set(0, row.getString(QuerySql.COLUMNS + question.sortColumns() + 1));
              return row(row, query, question.sortColumns());
            },
            statement.arguments().toArray());
    return new FetchedRows(rows, snapshots.get(0));
  }

  private QuerySql question(
      FeatureQuery query, StorageState storageState, @Nullable PageCursor from, long version) {
    if (from != null && storageState.server() == Server.REPLICA) {
      requireCaughtUp(from.moment());
    }
    QueryContext queryContext = surrounding(query, storageState, version);
    if (from == null) {
      return QuerySql.first(query, queryContext);
    }
    checkLog(from.moment());
    return QuerySql.next(
        query, queryContext, from, excludedTransactions(storageState, from.moment()));
  }

  private ExcludedTransactions excludedTransactions(
      StorageState storageState, PageSnapshot pageSnapshot) {
    String schema = sql.place().schema();
    return storageState.steady()
        ? ExcludedTransactions.of(numbers(pageSnapshot.invisibleTransactionsSql(schema)))
        : ExcludedTransactions.since(pageSnapshot, schema);
  }

  /** Otherwise the page would lack features that the pages before it could have shown. */
  private void requireCaughtUp(PageSnapshot pageSnapshot) {
    SqlFragment here = pageSnapshot.caughtUpSql(sql.place().schema());
    if (!sql.queryBoolean(here.text(), here.arguments().toArray())) {
      throw new PrimaryNeededException(
          "this replica doesn't have all that the first page was made of; ask the primary, or"
              + " again when the replica has caught up");
    }
  }

  /** Returns the snapshot of this read, for further pages, perhaps on another server. */
  private PageSnapshot moment(StorageState storageState, String shown) {
    String snapshot = storageState.server() == Server.REPLICA ? completed(storageState) : shown;
    SqlFragment seen =
        PageSnapshot.visibleCountSql(sql.place().schema(), snapshot, storageState.firstTxn());
    return new PageSnapshot(snapshot, storageState.firstTxn(), numbers(seen).get(0));
  }

  private String completed(StorageState storageState) {
    SqlFragment whole =
        PageSnapshot.replicaSnapshotSql(
            sql.place().schema(), storageState.snapshot(), storageState.firstTxn());
    return sql.queryText(whole.text(), whole.arguments().toArray())
        .orElseThrow(
            () ->
                new PrimaryNeededException(
                    "a transaction has been open for so long that this replica can't tell which"
                        + " others are; ask the primary, or ask for all on one page"));
  }

  private List<Long> numbers(SqlFragment question) {
    return sql.queryRows(question.text(), row -> row.getLong(1), question.arguments().toArray());
  }

  private void checkLog(PageSnapshot pageSnapshot) {
    new LogRetention(sql).requireSince(pageSnapshot.snapshot());
  }

  long each(FeatureQuery query, Consumer<Feature> action) {
    if (query.handle().isPresent()) {
      throw new InvalidRequestException(
          "a stream can't go on at a handle; read pages, or stream from the beginning");
    }
    QuerySql question =
        QuerySql.stream(query, surrounding(query, storage(), version(query.states())));
    SqlFragment statement = question.statement(query.limit().orElse(0));
    return sql.each(
        FETCHED,
        question.computed(),
        statement.text(),
        row -> action.accept(row(row, query, 0).feature()),
        statement.arguments().toArray());
  }

  List<String> explain(FeatureQuery query) {
    StorageState storageState = storage();
    @Nullable PageCursor from =
        query
            .handle()
            .map(text -> PageCursor.parse(text, query, storageState.secret()))
            .orElse(null);
    long version = from == null ? version(query.states()) : from.version();
    SqlFragment statement =
        question(query, storageState, from, version)
            .statement(query.limit().orElse(FeatureQuery.USUAL_LIMIT) + 1);
    return sql.queryTexts("EXPLAIN " + statement.text(), statement.arguments().toArray());
  }

  private StorageState storage() {
    return sql.queryOne(
        "SELECT pg_current_snapshot()::text, %s.naksha_first_open_txn(),"
            + " current_setting('transaction_isolation') <> 'read committed',"
            + " (SELECT value FROM %s.naksha_secret), ("
            + SqlSession.FOLLOWS
            + "), ("
            + SqlSession.POSTGIS
            + ")",
        row ->
            new StorageState(
                row.getString(1),
                row.getLong(2),
                row.getBoolean(3),
                row.getBoolean(5) ? Server.REPLICA : Server.PRIMARY,
                row.getString(4),
                row.getString(6)));
  }

  private QueryContext surrounding(FeatureQuery query, StorageState storageState, long version) {
    List<CollectionInfo> collections =
        sql
            .queryTexts(
                "SELECT %s.naksha_collection_find(u.c) FROM unnest(?::text[]) WITH ORDINALITY"
                    + " AS u(c, n) ORDER BY u.n",
                query.collections())
            .stream()
            .map(CollectionInfo::parse)
            .toList();
    if (query.states().isPast()) {
      HistoryRetention history = new HistoryRetention(sql);
      collections.forEach(info -> history.lockVersion(info.id(), version));
    }
    return new QueryContext(collections, sql.place(), storageState.postgis(), version);
  }

  private long version(StateSelection stateSelection) {
    if (stateSelection instanceof StateSelection.At at) {
      return at.version().value();
    }
    return stateSelection instanceof StateSelection.AtMoment at
        ? new LogRetention(sql).lastUpTo(at.moment())
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
    Optional<List<FeatureField>> selected = query.selection();
    if (selected.isEmpty()) {
      return FeatureRows.state(row);
    }
    String[] parts = (String[]) row.getArray(1).getArray();
    return new Feature(FieldSelection.of(parts, selected.get()), FeatureRows.geometry(row));
  }
}
