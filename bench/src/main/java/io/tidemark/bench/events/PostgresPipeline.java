// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.WorkerThreads;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue in a table of PostgreSQL, as one is usually made: workers take some rows that no other
 * has, by {@code FOR UPDATE SKIP LOCKED}, note that they have them, and that they are through with
 * each. Every step is durable. A thread has its own connection.
 */
final class PostgresPipeline implements EventPipeline {

  private static final String CLAIM =
      "UPDATE queue SET claimed_at = now(), lease_until = now() + interval '30 s' WHERE id IN ("
          + "SELECT id FROM queue WHERE ack_at IS NULL AND lease_until <= now()"
          + " ORDER BY priority DESC, id LIMIT "
          + AT_A_TIME
          + " FOR UPDATE SKIP LOCKED) RETURNING id";

  private final String url;
  private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Session> sessions = ThreadLocal.withInitial(this::connect);

  /** A connection, with what is asked over it. */
  private record Session(
      PreparedStatement publish, PreparedStatement claim, PreparedStatement ack) {}

  PostgresPipeline(String url) throws SQLException {
    this.url = url;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE queue (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
              + " type text NOT NULL, payload jsonb NOT NULL, priority int NOT NULL,"
              + " created_at timestamptz NOT NULL DEFAULT now(), claimed_at timestamptz,"
              + " lease_until timestamptz NOT NULL DEFAULT now(), ack_at timestamptz)");
      statement.execute("CREATE INDEX ON queue (priority DESC, id) WHERE ack_at IS NULL");
    }
  }

  private Session connect() {
    try {
      Connection connection = DriverManager.getConnection(url);
      opened.add(connection);
      return new Session(
          connection.prepareStatement(
              "INSERT INTO queue (type, payload, priority) VALUES (?, ?::jsonb, 100)"),
          connection.prepareStatement(CLAIM),
          connection.prepareStatement("UPDATE queue SET ack_at = now() WHERE id = ?"));
    } catch (SQLException e) {
      throw new IllegalStateException("can't connect to PostgreSQL for measuring", e);
    }
  }

  @Override
  public void run(int events, WorkerThreads workers) throws Exception {
    AtomicLong handled = new AtomicLong();
    workers.run(
        worker -> {
          PreparedStatement publish = sessions.get().publish();
          for (int i = worker; i < events; i += workers.threads()) {
            publish.setString(1, BusPipeline.TYPE);
            publish.setString(2, BusPipeline.payload(i));
            publish.executeUpdate();
          }
        });
    workers.run(worker -> handled.addAndGet(handleAll(sessions.get())));
    Expect.equal(events, handled.get());
  }

  private static long handleAll(Session session) throws SQLException {
    long handled = 0;
    for (List<Long> claimed = claim(session); !claimed.isEmpty(); claimed = claim(session)) {
      for (long id : claimed) {
        session.ack().setLong(1, id);
        handled += session.ack().executeUpdate();
      }
    }
    return handled;
  }

  private static List<Long> claim(Session session) throws SQLException {
    List<Long> claimed = new ArrayList<>();
    try (ResultSet row = session.claim().executeQuery()) {
      while (row.next()) {
        claimed.add(row.getLong(1));
      }
    }
    return claimed;
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : opened) {
      connection.close();
    }
  }
}
