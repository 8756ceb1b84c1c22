// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.internal.duckdb.DuckDbSession.Size;
import io.tidemark.ledger.query.plan.CancellationToken;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that are used again. */
class DuckDbSessionTest {

  @TempDir private Path directory;

  private DuckDbDatabase inFile() {
    return DuckDbDatabase.inFile(
        directory.resolve("numbers.duckdb"), directory.resolve("spill"), "256MB");
  }

  private static void run(DuckDbDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(DuckDbDatabase database, String sql) throws SQLException {
    try (DuckDbSession duckDbSession = database.session(new CancellationToken());
        ResultSet result = duckDbSession.executeSmall(sql)) {
      assertThat(result.next()).isTrue();
      return result.getLong(1);
    }
  }

  private static long counted(DuckDbDatabase database, String sql, Size size) throws SQLException {
    try (DuckDbSession duckDbSession = database.session(new CancellationToken());
        ResultRows rows = duckDbSession.rows(sql, size)) {
      long count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    }
  }

  @Test
  void rowsCanBeReadColumnByColumn() {
    assertThat(VectorResultRows.CAN_BE_READ).isTrue();
  }

  @Test
  void aStatementThatWasAskedBeforeSeesWhatHasComeSince() throws SQLException {
    try (DuckDbDatabase database = inFile()) {
      run(database, "CREATE TABLE numbers AS SELECT 1::BIGINT AS n");
      String all = "SELECT count(*) FROM numbers";
      String small = "SELECT count(*) FROM numbers WHERE n <= 3";
      String large = "SELECT n FROM numbers WHERE n > 3";
      for (long last = 2; last <= 6; last++) {
        run(database, "INSERT INTO numbers VALUES (" + last + ")");
        assertThat(number(database, all)).isEqualTo(last);
        assertThat(number(database, small)).isEqualTo(Math.min(last, 3));
        assertThat(counted(database, large, Size.SMALL)).isEqualTo(Math.max(0, last - 3));
        assertThat(counted(database, large, Size.LARGE)).isEqualTo(Math.max(0, last - 3));
      }
    }
  }

  @Test
  void bothWaysOfReadingGiveTheSameValues() throws SQLException {
    String sql =
        "SELECT CASE WHEN i % 3 > 0 THEN i END AS n, CASE WHEN i % 5 > 0 THEN 'n\u00e9 ' || i END"
            + " AS t FROM range(5000) r(i) ORDER BY i";
    try (DuckDbDatabase database = inFile();
        DuckDbSession one = database.session(new CancellationToken());
        DuckDbSession other = database.session(new CancellationToken());
        ResultRows cells = one.rows(sql, Size.SMALL);
        ResultRows vectors = other.rows(sql, Size.LARGE)) {
      assertThat(cells).isInstanceOf(JdbcResultRows.class);
      assertThat(vectors).isInstanceOf(VectorResultRows.class);
      while (cells.next()) {
        assertThat(vectors.next()).isTrue();
        assertThat(vectors.number(1)).isEqualTo(cells.number(1));
        assertThat(vectors.isNull(2)).isEqualTo(cells.isNull(2));
        assertThat(vectors.text(2)).isEqualTo(cells.text(2));
      }
      assertThat(vectors.next()).isFalse();
    }
  }

  @Test
  void anAnswerThatBreaksOffIsNoAnswer() {
    String sql =
        "SELECT CASE WHEN i = 1000000 THEN CAST(error('broken off') AS BIGINT) ELSE i END AS n"
            + " FROM range(5000000) r(i)";
    try (DuckDbDatabase database = inFile()) {
      assertThatThrownBy(() -> counted(database, sql, Size.LARGE))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("broken off");
    }
  }

  @Test
  void closingADatabaseClosesWhatWasLent() throws SQLException {
    DuckDbDatabase database = inFile();
    DuckDbSession lent = database.session(new CancellationToken());
    Connection own = database.connect();
    database.close();
    assertThat(lent.connection().isClosed()).isTrue();
    assertThat(own.isClosed()).isTrue();
    lent.close();
  }

  @Test
  void aRetiredDatabaseLendsNoMoreAndLetsQueriesEnd() throws SQLException {
    try (DuckDbDatabase database = inFile()) {
      run(database, "CREATE TABLE numbers AS SELECT range AS n FROM range(100000)");
      DuckDbSession resting = database.session(new CancellationToken());
      DuckDbSession lent = database.session(new CancellationToken());
      ResultRows rows = lent.rows("SELECT n FROM numbers ORDER BY n", Size.LARGE);
      assertThat(rows.next()).isTrue();
      resting.close();

      database.retire();

      assertThat(resting.connection().isClosed()).isTrue();
      assertThatThrownBy(() -> database.session(new CancellationToken()))
          .isInstanceOf(IllegalStateException.class);
      long last = 0;
      while (rows.next()) {
        last = rows.number(1);
      }
      assertThat(last).isEqualTo(99_999);
      rows.close();
      assertThat(lent.connection().isClosed()).isFalse();
      lent.close();
      assertThat(lent.connection().isClosed()).isTrue();
    }
  }

  @Test
  void closingARetiredDatabaseEndsWhatIsStillLent() throws SQLException {
    DuckDbDatabase database = inFile();
    DuckDbSession lent = database.session(new CancellationToken());
    database.retire();
    assertThat(lent.connection().isClosed()).isFalse();
    database.close();
    assertThat(lent.connection().isClosed()).isTrue();
    lent.close();
  }

  @Test
  void aSessionWhoseStatementsCannotBeForgottenIsTakenBackAllTheSame() throws SQLException {
    try (DuckDbDatabase database = inFile()) {
      List<DuckDbSession> back = new ArrayList<>();
      DuckDBConnection connection = (DuckDBConnection) database.connect();
      DuckDbSession duckDbSession =
          new DuckDbSession(connection, DuckDbSession.StatementCaching.FORGETS, back::add);
      try (ResultRows rows = duckDbSession.rows("SELECT 1", Size.LARGE)) {
        assertThat(rows.next()).isTrue();
      }
      connection.close();
      try {
        duckDbSession.close();
      } catch (SQLException e) {
        assertThat(duckDbSession.isBroken()).isTrue();
      }
      assertThat(back).containsExactly(duckDbSession);
    }
  }

  @Test
  void aKeptStatementSeesBothSidesOfAJoinGrow() throws SQLException {
    try (DuckDbDatabase database = inFile()) {
      run(database, "CREATE TABLE one AS SELECT range AS n FROM range(10)");
      run(database, "CREATE TABLE other AS SELECT 0::BIGINT AS n, 'x' AS t WHERE FALSE");
      String sql = "SELECT o.n, x.t FROM one o LEFT JOIN other x ON x.n = o.n";
      String found = "SELECT count(x.t) FROM one o LEFT JOIN other x ON x.n = o.n";
      for (int round = 0; round < 5; round++) {
        assertThat(counted(database, sql, Size.SMALL)).isEqualTo(10 + round * 1000L);
        assertThat(number(database, found)).isEqualTo(round);
        run(database, "INSERT INTO one SELECT 10 + range FROM range(1000)");
        run(database, "INSERT INTO other VALUES (" + round + ", 't" + round + "')");
        run(database, "CHECKPOINT");
      }
    }
  }

  @Test
  void aStatementThatWasPreparedBeforeAnInsertSeesIt() throws SQLException {
    String sql = "SELECT count(*) FROM numbers WHERE n < 50";
    try (DuckDbDatabase database = inFile()) {
      run(database, "CREATE TABLE numbers AS SELECT 1::BIGINT AS n");
      try (DuckDbSession duckDbSession = database.session(new CancellationToken())) {
        for (int round = 0; round < 4; round++) { // on one connection, kept from the second on
          try (ResultSet result = duckDbSession.executeSmall(sql)) {
            assertThat(result.next()).isTrue();
            assertThat(result.getLong(1)).isEqualTo(round + 1);
          }
          run(database, "INSERT INTO numbers VALUES (" + round + ")");
        }
      }
    }
  }

  @Test
  void aKeptStatementReadsATableThatWasDroppedAndMadeAgain() throws SQLException {
    String sql = "SELECT count(*), max(n) FROM numbers";
    try (DuckDbDatabase database = inFile()) {
      run(database, "CREATE TABLE numbers AS SELECT 1::BIGINT AS n");
      assertThat(number(database, sql)).isEqualTo(1);
      assertThat(number(database, sql)).isEqualTo(1);
      run(database, "DROP TABLE numbers");
      try (DuckDbSession duckDbSession = database.session(new CancellationToken())) {
        assertThatThrownBy(() -> duckDbSession.executeSmall(sql)).hasMessageContaining("numbers");
        duckDbSession
            .markBroken(); // as whoever meets an error does: DuckDB has closed the statement
      }
      run(database, "CREATE TABLE numbers AS SELECT 'text' AS t, range AS n FROM range(7)");
      assertThat(number(database, sql)).isEqualTo(7);
      assertThat(number(database, sql)).isEqualTo(7);
    }
  }
}
