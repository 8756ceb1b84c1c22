// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.db.Session;
import io.tidemark.features.log.LoggedTransaction.Numbered;
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

/** Rows of the log, put together to transactions. */
final class LogRows {

  private static final String COLUMNS =
      "SELECT t.txn, t.psql_id, t.app_id, t.author, t.ts, t.seq_number, t.seq_ts, t.action, t.id,"
          + " t.msg_text, t.msg_json, t.msg_binary FROM %s.naksha_tx t ";

  private final Session session;

  LogRows(Session session) {
    this.session = session;
  }

  /** The transactions whose rows a condition selects, in the order of the rows. */
  List<LoggedTransaction> where(String condition, @Nullable Object... arguments) {
    Map<Long, List<SignalRow>> found = new LinkedHashMap<>();
    for (SignalRow row : session.rows(COLUMNS + condition, LogRows::row, arguments)) {
      found.computeIfAbsent(row.transaction.txn().value(), t -> new ArrayList<>()).add(row);
    }
    return found.values().stream().map(LogRows::together).toList();
  }

  /**
   * Those with a number from one on, at most so many numbers. Needs a session that sees all of it
   * at one moment. Only days that have such numbers are looked at.
   */
  List<LoggedTransaction> numbered(long from, int most) {
    List<long[]> days =
        session.rows(
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

  /** The last number that was given; 0 when there is none. */
  long lastNumber() {
    return session.number("SELECT number FROM %s.naksha_sequencer");
  }

  private static LoggedTransaction together(List<SignalRow> rows) {
    LoggedTransaction first = rows.get(0).transaction;
    return new LoggedTransaction(
        first.txn(),
        first.psqlId(),
        first.appId(),
        first.author(),
        first.ts(),
        first.numbered(),
        rows.stream().map(SignalRow::signal).toList());
  }

  private record SignalRow(LoggedTransaction transaction, Signal signal) {}

  private static SignalRow row(ResultSet row) throws SQLException {
    long number = row.getLong(6);
    Numbered numbered = row.wasNull() ? null : new Numbered(number, moment(row, 7));
    return new SignalRow(
        new LoggedTransaction(
            new Txn(row.getLong(1)),
            row.getLong(2),
            row.getString(3),
            row.getString(4),
            moment(row, 5),
            numbered,
            List.of()),
        signal(row));
  }

  private static Signal signal(ResultSet row) throws SQLException {
    String action = row.getString(8);
    String id = row.getString(9);
    return switch (action) {
      case Signal.ModifyFeatures.ACTION -> new Signal.ModifyFeatures(id);
      case Signal.ModifyCollection.ACTION -> new Signal.ModifyCollection(id);
      case Signal.Message.ACTION -> message(id, row);
      default ->
          throw new InvalidRequestException(
              "the log has a signal '%s' that this release doesn't know; use a newer one"
                  .formatted(action));
    };
  }

  private static Signal.Message message(String id, ResultSet row) throws SQLException {
    byte[] bytes = row.getBytes(12);
    return new Signal.Message(
        id, row.getString(10), row.getString(11), bytes == null ? null : new Attachment(bytes));
  }

  private static Instant moment(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
