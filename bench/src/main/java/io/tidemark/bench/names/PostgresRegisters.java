// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Rows of a table in PostgreSQL, each move one durable {@code UPDATE} in a transaction of its own.
 * A thread has its own connection.
 */
final class PostgresRegisters implements Registers<Long> {

  private final String url;
  private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Session> sessions = ThreadLocal.withInitial(this::connect);

  PostgresRegisters(String url) throws SQLException {
    this.url = url;
    requireDurability("fsync");
    requireDurability("synchronous_commit");
    requireDurability("full_page_writes");
    try (Statement statement = session().connection().createStatement()) {
      statement.execute(
          "CREATE TABLE register (id int PRIMARY KEY, v bigint NOT NULL, payload text NOT NULL)");
    }
  }

  /** A connection, with what is asked over it. */
  private record Session(
      Connection connection,
      PreparedStatement insert,
      PreparedStatement select,
      PreparedStatement update) {}

  private void requireDurability(String setting) throws SQLException {
    try (Statement statement = session().connection().createStatement();
        ResultSet shown = statement.executeQuery("SHOW " + setting)) {
      shown.next();
      if (!shown.getString(1).equals("on")) {
        throw new IllegalStateException(
            "PostgreSQL has "
                + setting
                + "="
                + shown.getString(1)
                + ", so its rate isn't a durable one; start it with "
                + setting
                + "=on");
      }
    }
  }

  private Session session() {
    return sessions.get();
  }

  private Session connect() {
    try {
      Connection connection = DriverManager.getConnection(url);
      opened.add(connection);
      connection.setAutoCommit(true);
      // The table isn't there yet, but the driver doesn't ask the server before the first use.
      return new Session(
          connection,
          connection.prepareStatement("INSERT INTO register VALUES (?, 0, '{}')"),
          connection.prepareStatement("SELECT v FROM register WHERE id = ?"),
          connection.prepareStatement(
              "UPDATE register SET v = ?, payload = ? WHERE id = ? AND v = ?"));
    } catch (SQLException e) {
      throw new IllegalStateException("can't connect to PostgreSQL for measuring", e);
    }
  }

  @Override
  public Long create(int register) throws SQLException {
    PreparedStatement insert = session().insert();
    insert.setInt(1, register);
    insert.executeUpdate();
    return 0L;
  }

  @Override
  public Long read(int register) throws SQLException {
    PreparedStatement select = session().select();
    select.setInt(1, register);
    try (ResultSet row = select.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public Move<Long> move(int register, Long from) throws SQLException {
    PreparedStatement update = session().update();
    update.setLong(1, from + 1);
    update.setString(2, SamplePayload.json(from + 1));
    update.setInt(3, register);
    update.setLong(4, from);
    return update.executeUpdate() == 1
        ? new Move<>(from + 1, true)
        : new Move<>(read(register), false);
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : opened) {
      connection.close();
    }
  }
}
