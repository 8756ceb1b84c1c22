// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.DuckDbDatabase;
import io.tidemark.ledger.internal.duckdb.SqlQuoting;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Database that a replica is in, and its table of what has been fed. That table changes in the same
 * transaction as the rows it tells of, so a process that is killed leaves both as they were after
 * some commit.
 */
record ReplicaDatabase(Slot slot, DuckDbDatabase database) implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaDatabase.class);

  /** Changes when tables are made otherwise; those of DuckDB and its hashes change with it. */
  private static final String FORMAT = "4 for DuckDB ";

  private static final String VERSION = "SELECT library_version FROM pragma_version()";

  /** Opens the database of a slot; one that can't be opened or has another format is made anew. */
  static ReplicaDatabase open(Slot slot, String memoryLimit) throws SQLException, IOException {
    slot.deleteSpill();
    Optional<Path> there = slot.database();
    if (there.isPresent()) {
      ReplicaDatabase file = of(slot, there.get(), memoryLimit);
      try {
        if (file.hasFormat()) {
          file.dropOrphanedTables();
          return file;
        }
      } catch (SQLException | RuntimeException e) {
        // Damaged, or no database at all: the same as having another format.
        LOG.debug("{} is made anew", there.get(), e);
      }
      file.database.close();
      slot.clear();
    }
    ReplicaDatabase file = of(slot, slot.newDatabase(), memoryLimit);
    try {
      file.create();
      return file;
    } catch (SQLException | RuntimeException e) {
      file.database.close();
      throw e;
    }
  }

  private static ReplicaDatabase of(Slot slot, Path path, String memoryLimit) {
    return new ReplicaDatabase(slot, DuckDbDatabase.inFile(path, slot.spill(), memoryLimit));
  }

  private boolean hasFormat() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      String format = FORMAT + one(statement, VERSION);
      return one(statement, "SELECT format FROM replica").equals(format);
    }
  }

  private void create() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      String format = FORMAT + one(statement, VERSION);
      statement.execute(
          "CREATE TABLE fed (kind VARCHAR, name VARCHAR, stamp VARCHAR, relation VARCHAR,"
              + " commit_id BIGINT, manifest VARCHAR, loose BIGINT)");
      statement.execute("CREATE TABLE replica AS SELECT " + SqlQuoting.text(format) + " AS format");
    }
  }

  private static String one(Statement statement, String sql) throws SQLException {
    try (ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? result.getString(1) : "";
    }
  }

  /** Drops tables that were replaced while queries may still have read them. */
  private void dropOrphanedTables() throws SQLException {
    List<String> used = new ArrayList<>(List.of("fed", "replica"));
    loadedTables().values().forEach(loadedTable -> used.add(loadedTable.table()));
    String others = " WHERE table_name NOT IN (" + SqlQuoting.list(used) + ")";
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      List<String> forgotten = new ArrayList<>();
      try (ResultSet result =
          statement.executeQuery("SELECT table_name FROM duckdb_tables()" + others)) {
        while (result.next()) {
          forgotten.add(result.getString(1));
        }
      }
      for (String table : forgotten) {
        statement.execute("DROP TABLE " + SqlQuoting.name(table));
      }
    }
  }

  /** Returns the types that have been fed, by this process or one before it. */
  Map<TypeId, LoadedTable> loadedTables() throws SQLException {
    Map<TypeId, LoadedTable> all = new HashMap<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM fed")) {
      while (result.next()) {
        TypeId type =
            new TypeId(TypeKind.of(result.getString(1)).orElseThrow(), result.getString(2));
        all.put(
            type,
            new LoadedTable(
                type,
                result.getString(3),
                result.getString(4),
                result.getLong(5),
                result.getString(6),
                result.getLong(7),
                Optional.empty()));
      }
    }
    return all;
  }

  /** Returns a name that no table has. */
  static String newTable(Statement statement) throws SQLException {
    return "versions_"
        + one(
            statement,
            "SELECT coalesce(max(CAST(substr(table_name, 10) AS BIGINT)), 0) + 1"
                + " FROM duckdb_tables() WHERE starts_with(table_name, 'versions_')");
  }

  /** Returns how many rows a table has, as far as DuckDB knows without counting them. */
  static long rows(Statement statement, String table) throws SQLException {
    String known = "SELECT estimated_size FROM duckdb_tables() WHERE table_name = ";
    return Long.parseLong(one(statement, known + SqlQuoting.text(table)));
  }

  /** Notes how far a type has been fed, as a part of the transaction that feeds it. */
  static void saveProgress(Statement statement, LoadedTable loadedTable) throws SQLException {
    String kind = SqlQuoting.text(loadedTable.type().kind().singular());
    String name = SqlQuoting.text(loadedTable.type().name());
    statement.execute("DELETE FROM fed WHERE kind = " + kind + " AND name = " + name);
    statement.execute(
        "INSERT INTO fed VALUES ("
            + String.join(
                ", ",
                kind,
                name,
                SqlQuoting.text(loadedTable.stamp()),
                SqlQuoting.text(loadedTable.table()),
                Long.toString(loadedTable.commitId()),
                SqlQuoting.text(loadedTable.manifestPath()),
                Long.toString(loadedTable.loose()))
            + ")");
  }

  /**
   * Brings what was fed into the form that it is read fastest in, which DuckDB does by itself only
   * after much more. It is for speed alone: if other transactions are in the way, it is skipped.
   */
  static void checkpoint(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CHECKPOINT");
    } catch (SQLException e) {
      LOG.debug("a replica isn't settled", e);
    }
  }

  /** Closes the database and frees the slot. */
  @Override
  public void close() throws IOException {
    try {
      database.close();
    } finally {
      slot.close();
    }
  }

  /**
   * Leaves nothing of it to the next process, but lets queries that are under way go on: the system
   * keeps what they have open. The slot stays taken, since they may be spilling there.
   */
  void retire() throws IOException {
    try {
      database.retire();
    } finally {
      slot.clearExceptSpill();
    }
  }

  /** Closes the database and leaves nothing of it. */
  void discard() throws IOException {
    try {
      database.close();
    } finally {
      slot.clear();
      slot.close();
    }
  }
}
