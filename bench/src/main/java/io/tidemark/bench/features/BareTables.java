// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.features.Features;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tables and keys of a collection with all triggers off, and someone who knows them: one
 * statement a batch, rows sent as arrays like ours, each id looked up in its own leaf, joins that
 * aren't by key switched off in the session.
 */
final class BareTables implements AutoCloseable {

  private final Connection connection;
  private long rows;

  private BareTables(Connection connection) {
    this.connection = connection;
  }

  /** Makes a collection and takes its triggers off. */
  static BareTables of(
      Features features, String url, String collection, CollectionShape collectionShape)
      throws SQLException {
    features.transact(
        TidemarkFeatureWriter.ALICE,
        tx -> tx.collections().create(collection, collectionShape.options()));
    BareTables tables = new BareTables(DriverManager.getConnection(url));
    tables.run("ALTER TABLE %s DISABLE TRIGGER ALL".formatted(collection));
    for (char leaf : "0123456789abcdef".toCharArray()) {
      if (collectionShape == CollectionShape.LEAVES) {
        tables.run("ALTER TABLE %s_%s DISABLE TRIGGER ALL".formatted(collection, leaf));
      }
    }
    tables.run("SET enable_seqscan = off");
    tables.run("SET enable_hashjoin = off");
    tables.run("SET enable_mergejoin = off");
    tables.connection.setAutoCommit(false);
    return tables;
  }

  void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long pid() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      long pid = row.getLong(1);
      connection.rollback();
      return pid;
    }
  }

  /** Columns of a batch: its ids, and the row numbers, geometries and states to be written. */
  record Columns(
      List<String> ids, List<Long> numbers, List<String> geometries, List<String> states) {}

  Columns columns(WriteKind writeKind, List<SampleFeature> samples) {
    String action = writeKind == WriteKind.INSERT ? "CREATE" : "UPDATE";
    // In the order of their ids, as ours are sent.
    List<SampleFeature> sorted =
        samples.stream().sorted((a, b) -> a.id().compareTo(b.id())).toList();
    List<Long> numbers = new ArrayList<>();
    List<String> states = new ArrayList<>();
    for (SampleFeature sampleFeature : sorted) {
      numbers.add(rows);
      states.add(sampleFeature.row(rows, action));
      rows++;
    }
    return new Columns(
        sorted.stream().map(SampleFeature::id).toList(),
        numbers,
        sorted.stream().map(SampleFeature::ewkb).toList(),
        states);
  }

  /** One statement in one transaction; its parameters are arrays of texts or of numbers. */
  void change(String sql, List<?>... columns) throws SQLException {
    Object[][] arrays = new Object[columns.length][];
    for (int n = 0; n < columns.length; n++) {
      boolean numbers = columns[n].get(0) instanceof Long;
      arrays[n] = columns[n].toArray(numbers ? Long[]::new : String[]::new);
    }
    send(sql, arrays);
  }

  /** The same with arrays that are written as texts, which the server has to read. */
  void changeByTexts(String sql, List<?>... columns) throws SQLException {
    send(sql, Stream.of(columns).map(List::toArray).toArray(Object[][]::new));
  }

  private void send(String sql, Object[][] arrays) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int n = 0; n < arrays.length; n++) {
        String type = arrays[n][0] instanceof Long ? "bigint" : "text";
        statement.setArray(n + 1, connection.createArrayOf(type, arrays[n]));
      }
      statement.executeUpdate();
    }
    connection.commit();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
