// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The floor: DuckDB on files with the columns that ours have and exactly the rows of a state, or
 * every version for what is asked about the past of a key. It is told which file to look at, and
 * has nothing to find out. Rows become JSON here, too.
 */
final class BareDuckDb implements QueryRunner, AutoCloseable {

  private static final String CITIES =
      "['Lisbon', 'Porto', 'Faro', 'Braga', 'Coimbra', 'Aveiro', 'Setubal']";

  private final Connection connection;
  private final QueryDataset queryDataset;
  private final Path place;
  private final String versions;
  private final String state;
  private final String earlier;
  private final ObjectMapper json;

  private BareDuckDb(Path place, QueryDataset queryDataset, ObjectMapper json) throws SQLException {
    this.connection = DriverManager.getConnection("jdbc:duckdb:");
    this.queryDataset = queryDataset;
    this.place = place;
    this.json = json;
    run("SET parquet_metadata_cache = true");
    run("SET memory_limit = '1GB'");
    run("SET temp_directory = " + quoted(place.resolve("floor-spill")));
    this.versions = file("versions");
    this.state = file("state");
    this.earlier = file("earlier");
  }

  /** Writes the files that are asked. */
  static BareDuckDb on(Path place, QueryDataset queryDataset) throws SQLException {
    BareDuckDb bare = new BareDuckDb(place, queryDataset, new ObjectMapper());
    bare.write("versions", bare.made());
    bare.write("state", bare.stateOf(queryDataset.commits()));
    bare.write("earlier", bare.stateOf(queryDataset.half()));
    return bare;
  }

  /** The same files, asked by a DuckDB that is opened for each question. */
  QueryRunner openedAnew() {
    return (benchQuery, customer) -> {
      try (BareDuckDb fresh = new BareDuckDb(place, queryDataset, json)) {
        return fresh.answer(benchQuery, customer);
      }
    };
  }

  /** Opens one, and has it look at the file of the state and show nothing of it. */
  void openAndLook() throws SQLException {
    try (BareDuckDb fresh = new BareDuckDb(place, queryDataset, json)) {
      fresh.run("SELECT fields_json FROM " + fresh.state + " LIMIT 0");
    }
  }

  /** Every version, made by DuckDB as {@link QueryDataset} makes it. */
  private String made() {
    String numbered =
        "SELECT i // %d AS c, i %% %d AS n FROM range(%d) r(i)"
            .formatted(
                queryDataset.rows(),
                queryDataset.customers(),
                (long) queryDataset.commits() * queryDataset.rows());
    String fields =
        "SELECT c + 1 AS commit_id, 'Customer' AS entity_type, 'customer-' || n AS entity_key,"
            + " 1::BIGINT AS schema_version_id, n % 3 = 0 AS active, n / 4.0::DOUBLE AS balance, "
            + CITIES
            + "[n % 7 + 1] AS city, 'customer-' || n AS id, 'Name of customer ' || n AS name,"
            + " n * 31 + c AS visits FROM ("
            + numbered
            + ")";
    return "SELECT *, to_json({active: active, balance: balance, city: city, id: id, name: name,"
        + " visits: visits})::VARCHAR AS fields_json FROM ("
        + fields
        + ")";
  }

  private String stateOf(long commit) {
    return "SELECT v.* FROM "
        + versions
        + " v SEMI JOIN (SELECT entity_key, max(commit_id) AS commit_id FROM "
        + versions
        + " WHERE commit_id <= "
        + commit
        + " GROUP BY ALL) USING (entity_key, commit_id)";
  }

  private String file(String name) {
    return "read_parquet(" + path(name) + ")";
  }

  private String path(String name) {
    return quoted(place.resolve(name + ".parquet"));
  }

  private void write(String name, String rows) throws SQLException {
    run("COPY (" + rows + " ORDER BY entity_key) TO " + path(name) + " (FORMAT parquet)");
  }

  private static String quoted(Path path) {
    return "'" + path.toString().replace("'", "''") + "'";
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public long answer(BenchQuery benchQuery, long customer) throws SQLException, IOException {
    String key = " WHERE entity_key = '" + QueryDataset.key(customer) + "'";
    return switch (benchQuery) {
      case LATEST -> visits(state, "");
      case AS_OF -> visits(earlier, "");
      case POINT -> visits(state, key);
      case FILTER -> number("SELECT count(*) FROM " + state + " WHERE active AND city = 'Porto'");
      case AGGREGATE ->
          number(
              "SELECT count(*), avg(balance), city FROM "
                  + state
                  + " GROUP BY city ORDER BY city <> 'Faro'");
      case HISTORY -> visits(versions, key);
    };
  }

  /** The filter as it is without typed columns. */
  long filterByJson() throws SQLException {
    return number("SELECT count(*) FROM " + state + " WHERE " + inJson());
  }

  /** The filter as the first of this family put it: versions numbered, fields taken from JSON. */
  long filterOfLastVersionsByJson() throws SQLException {
    return number(
        "SELECT count(*) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY entity_key ORDER BY"
            + " commit_id DESC) AS rn FROM "
            + versions
            + ") WHERE rn = 1 AND "
            + inJson());
  }

  private static String inJson() {
    return "CAST(json_extract(fields_json, '$.active') AS BOOLEAN)"
        + " AND json_extract_string(fields_json, '$.city') = 'Porto'";
  }

  /** Runs a statement on the state; returns the sum of its first column. */
  long total(String sql) throws SQLException {
    run("CREATE OR REPLACE TEMP VIEW Customer AS SELECT * FROM " + state);
    long total = 0;
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        for (int column = 2; column <= columns; column++) {
          Object unused = result.getObject(column);
        }
        total += result.getLong(1);
      }
    }
    return total;
  }

  private long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? result.getLong(1) : 0;
    }
  }

  private long visits(String file, String where) throws SQLException, IOException {
    String sql =
        "SELECT commit_id, entity_key, schema_version_id, fields_json FROM "
            + file
            + where
            + " ORDER BY entity_key, commit_id LIMIT "
            + queryDataset.shown();
    long visits = 0;
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        result.getLong(1);
        result.getString(2);
        result.getLong(3);
        visits += json.readTree(result.getString(4)).path("visits").asLong();
      }
    }
    return visits;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
