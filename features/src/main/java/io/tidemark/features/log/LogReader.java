// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.db.SqlSession;
import io.tidemark.features.log.LoggedTransaction.SequencePosition;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of the log that groups its rows by transaction. */
final class LogReader {

  private static final String COLUMNS =
      "SELECT t.txn, t.psql_id, t.app_id, t.author, t.ts, t.seq_number, t.seq_ts, t.action, t.id,"
          + " t.msg_text, t.msg_json, t.msg_binary FROM %s.naksha_tx t ";

  private final SqlSession sqlSession;

  LogReader(SqlSession sqlSession) {
    this.sqlSession = sqlSession;
  }

  /** Returns the transactions whose rows a condition selects, in the order of the rows. */
  List<LoggedTransaction> where(String condition, @Nullable Object... arguments) {
    Map<Long, List<ActionRow>> found = new LinkedHashMap<>();
    for (ActionRow row : sqlSession.queryRows(COLUMNS + condition, LogReader::row, arguments)) {
      found.computeIfAbsent(row.transaction.txn().value(), t -> new ArrayList<>()).add(row);
    }
    return found.values().stream().map(LogReader::merge).toList();
  }

  /**
   * Returns the transactions with a number from the given one on, limited to so many numbers. Needs
   * a session with a snapshot. Only days that have such numbers are read.
   */
  List<LoggedTransaction> numbered(long from, int most) {
    List<long[]> days =
        sqlSession.queryRows(
            "WITH there AS MATERIALIZED (SELECT * FROM %s.naksha_tx_days WHERE highest >= ?"
                + " AND to_regclass('%s.naksha_tx_' || to_char(day, 'YYYY_MM_DD')) IS NOT NULL),"
                + " start AS (SELECT greatest(?, min(lowest)) AS number FROM there)"
                + " SELECT number, %s.naksha_txn(min(day)::timestamp AT TIME ZONE 'UTC', 0),"
                + " %s.naksha_txn((max(day) + 1)::timestamp AT TIME ZONE 'UTC', 0)"
                + " FROM there, start WHERE lowest < number + ? GROUP BY number",
            row -> new long[] {row.getLong(1), row.getLong(2), row.getLong(3)}, from, from, most);
    if (days.isEmpty()) {
      return List.of();
    }
    long[] range = days.get(0);
    // Literals: days outside aren't even locked then.
    return where(
        "WHERE t.seq_number >= ? AND t.seq_number < ? AND t.txn >= %d AND t.txn < %d"
                .formatted(range[1], range[2])
            + " ORDER BY t.seq_number, t.i",
        range[0],
        range[0] + most);
  }

  /** Returns the last number that was given; 0 when there is none. */
  long lastNumber() {
    return sqlSession.queryLong("SELECT number FROM %s.naksha_sequencer");
  }

  private static LoggedTransaction merge(List<ActionRow> rows) {
    LoggedTransaction first = rows.get(0).transaction;
    return new LoggedTransaction(
        first.txn(),
        first.psqlId(),
        first.appId(),
        first.author(),
        first.ts(),
        first.numbered(),
        rows.stream().map(ActionRow::signal).toList());
  }

  private record ActionRow(LoggedTransaction transaction, LogAction signal) {}

  private static ActionRow row(ResultSet row) throws SQLException {
    long number = row.getLong(6);
    SequencePosition sequencePosition =
        row.wasNull() ? null : new SequencePosition(number, moment(row, 7));
    return new ActionRow(
        new LoggedTransaction(
            new Txn(row.getLong(1)),
            row.getLong(2),
            row.getString(3),
            row.getString(4),
            moment(row, 5),
            sequencePosition,
            List.of()),
        signal(row));
  }

  private static LogAction signal(ResultSet row) throws SQLException {
    String action = row.getString(8);
    String id = row.getString(9);
    return switch (action) {
      case LogAction.ModifyFeatures.ACTION -> new LogAction.ModifyFeatures(id);
      case LogAction.ModifyCollection.ACTION -> new LogAction.ModifyCollection(id);
      case LogAction.Message.ACTION -> message(id, row);
      default ->
          throw new InvalidRequestException(
              "the log has a signal '%s' that this release doesn't know; use a newer one"
                  .formatted(action));
    };
  }

  private static LogAction.Message message(String id, ResultSet row) throws SQLException {
    byte[] bytes = row.getBytes(12);
    return new LogAction.Message(
        id, row.getString(10), row.getString(11), bytes == null ? null : new Attachment(bytes));
  }

  private static Instant moment(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
