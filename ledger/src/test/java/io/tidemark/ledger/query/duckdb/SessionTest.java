// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.query.duckdb.Session.Size;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that are used again. */
class SessionTest {

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
    try (Session session = database.session();
        ResultSet result = session.small(sql)) {
      assertThat(result.next()).isTrue();
      return result.getLong(1);
    }
  }

  private static long counted(DuckDbDatabase database, String sql, Size size) throws SQLException {
    try (Session session = database.session();
        AnswerRows rows = session.rows(sql, size)) {
      long count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    }
  }

  @Test
  void rowsCanBeReadColumnByColumn() {
    assertThat(VectorRows.CAN_BE_READ).isTrue();
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
        "SELECT CASE WHEN i % 3 > 0 THEN i END AS n, CASE WHEN i % 5 > 0 THEN 'n\u00e9 ' || i END AS t"
            + " FROM range(5000) r(i) ORDER BY i";
    try (DuckDbDatabase database = inFile();
        Session one = database.session();
        Session other = database.session();
        AnswerRows cells = one.rows(sql, Size.SMALL);
        AnswerRows vectors = other.rows(sql, Size.LARGE)) {
      assertThat(cells).isInstanceOf(CellRows.class);
      assertThat(vectors).isInstanceOf(VectorRows.class);
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
    Session lent = database.session();
    Connection own = database.connect();
    database.close();
    assertThat(lent.connection().isClosed()).isTrue();
    assertThat(own.isClosed()).isTrue();
    lent.close();
  }
}
