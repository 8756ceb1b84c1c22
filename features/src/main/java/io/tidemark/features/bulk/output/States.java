// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.output;

import io.tidemark.features.bulk.output.ExportOptions.At;
import io.tidemark.features.db.Database;
import io.tidemark.features.db.Session;
import io.tidemark.features.log.KeptLog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The states of a collection at one moment, read a thousand at a time, in a transaction that sees
 * nothing of what others do meanwhile.
 */
final class States {

  private static final int AT_A_TIME = 1_000;
  private static final String XYZ = "jsondata->'properties'->'@ns:com:here:xyz'";

  private final Connection connection;
  private final String from;

  private final String postgis;

  private States(Connection connection, String from, String postgis) {
    this.connection = connection;
    this.from = from;
    this.postgis = postgis;
  }

  /** Where features come from. */
  record Source(Database database, String schema, String collection, At at) {

    /** Looks at them. */
    <T> T read(Work<T> work) {
      return database.inTransaction(
          connection -> {
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = connection.createStatement()) {
              statement.execute("SET LOCAL statement_timeout = 0");
            }
            return work.with(new States(connection, from(connection), postgis(connection)));
          });
    }

    private String from(Connection connection) throws SQLException {
      // Fails if there is none, with the words for it.
      Session session = new Session(connection, schema);
      session.number("SELECT count(*) FROM %s.naksha_collection_find(?)", collection);
      String head = "%s.\"%s\"".formatted(schema, collection);
      if (at instanceof At.Now) {
        return head;
      }
      long version =
          at instanceof At.Version chosen
              ? chosen.txn().value()
              : new KeptLog(session).lastUpTo(((At.Moment) at).instant());
      return ("(SELECT i, jsondata, geo FROM %1$s WHERE (%3$s->>'txn')::bigint <= %4$d UNION ALL"
              + " SELECT i, jsondata, geo FROM %2$s WHERE (%3$s->>'txn')::bigint <= %4$d"
              + " AND (%3$s->>'txn_next')::bigint > %4$d) AS states WHERE i <> ALL"
              + " ((SELECT %5$s.naksha_overtaken('%6$s', %4$d))::bigint[])")
          .formatted(
              head,
              "%s.\"%s_hst\"".formatted(schema, collection),
              XYZ,
              version,
              schema,
              collection);
    }

    /** The schema of PostGIS, which isn't always searched. */
    private static String postgis(Connection connection) throws SQLException {
      try (Statement query = connection.createStatement();
          ResultSet row =
              query.executeQuery(
                  "SELECT quote_ident(nspname) FROM pg_extension e JOIN pg_namespace n"
                      + " ON n.oid = e.extnamespace WHERE extname = 'postgis'")) {
        row.next();
        return row.getString(1);
      }
    }
  }

  /** Does something with them. */
  @FunctionalInterface
  interface Work<T> {
    T with(States states) throws SQLException;
  }

  /** Takes a row. */
  @FunctionalInterface
  interface Row {
    void take(ResultSet row) throws SQLException;
  }

  /** Hands out each; {@code @geo@} in its columns is the schema of PostGIS. */
  void each(String columns, Row row) throws SQLException {
    try (Statement query = connection.createStatement()) {
      query.setFetchSize(AT_A_TIME);
      String selected = columns.replace("@geo@", postgis);
      try (ResultSet rows = query.executeQuery("SELECT %s FROM %s".formatted(selected, from))) {
        while (rows.next()) {
          row.take(rows);
        }
      }
    }
  }
}
