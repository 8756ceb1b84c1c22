// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.SchemaLocation;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.Feature;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A fresh storage for a test, with somebody who uses plain SQL on it. */
final class TestStorage implements AutoCloseable {

  static final Actor ALICE = Actor.app("app1").by("alice");

  private static final AtomicInteger NUMBER = new AtomicInteger();

  final String url;
  final Features features;
  final Psql psql;

  private TestStorage(String url) {
    this.url = url;
    this.features = Features.open(url, "store");
    this.psql = Psql.connect(url);
  }

  static TestStorage in(PostgresServer server) {
    return new TestStorage(server.createDatabase());
  }

  /** The id of a new collection in one table, which is quicker to make. */
  String small() {
    return create(CollectionOptions.none().unpartitioned());
  }

  String create(CollectionOptions options) {
    String id = "c" + NUMBER.incrementAndGet();
    features.transact(ALICE, tx -> tx.collections().create(id, options));
    return id;
  }

  /** Creates features, which are given as GeoJSON. */
  void put(String collection, String... geoJson) {
    List<Write> writes = Stream.of(geoJson).map(Feature::parse).map(Write::create).toList();
    BatchResult result = features.write(ALICE, collection, writes);
    if (!result.done()) {
      throw new IllegalStateException("not written: " + result);
    }
  }

  /** The ids in an answer. */
  List<String> ids(FeatureQuery.Builder query) {
    FeatureQuery built = query.build();
    return features.read(r -> r.query(built)).features().stream()
        .map(feature -> feature.id().orElseThrow())
        .toList();
  }

  /** How PostgreSQL does the statements that reading really sends, in its own words. */
  String plans(Consumer<ReadTransaction> reading) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement settings = connection.createStatement()) {
      settings.execute(
          "LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0;"
              + " SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off;"
              + " SET auto_explain.log_level = notice");
      try (DriverLog log = DriverLog.listen()) {
        reading.accept(
            new ReadTransaction(new SqlSession(connection, new SchemaLocation("public", "store"))));
        return String.join("\n", log.notices());
      }
    }
  }

  /** A point as GeoJSON; tags and properties are members of a list and of an object. */
  static String point(String id, String place, String tags, String properties) {
    return ("{\"id\": \"%s\", \"geometry\": {\"type\": \"Point\", \"coordinates\": %s},"
            + " \"properties\": {\"@ns:com:here:xyz\": {\"tags\": [%s]}%s}}")
        .formatted(id, place, tags, properties.isEmpty() ? "" : ", " + properties);
  }

  @Override
  public void close() {
    psql.close();
    features.close();
  }
}
