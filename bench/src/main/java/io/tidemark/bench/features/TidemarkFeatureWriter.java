// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.measure.Expect;
import io.tidemark.features.Features;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.model.Actor;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.ResultDetail;
import io.tidemark.features.write.Write;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The Java API with one connection. */
final class TidemarkFeatureWriter implements FeatureWriter {

  static final Actor ALICE = Actor.app("bench").by("alice");
  static final String COLLECTION = "ours";

  private final String url;
  private final Features features;

  TidemarkFeatureWriter(String url, CollectionShape collectionShape) {
    this.url = url;
    this.features = Features.open(url, "store", FeaturesOptions.defaults().withConnections(1));
    features.transact(ALICE, tx -> tx.collections().create(COLLECTION, collectionShape.options()));
  }

  Features features() {
    return features;
  }

  @Override
  public PreparedBatch batch(WriteKind writeKind, List<SampleFeature> samples) {
    List<Write> writes = samples.stream().map(writeKind::write).toList();
    return () -> {
      BatchResult result =
          features.transact(ALICE, tx -> tx.write(COLLECTION, writes, ResultDetail.BRIEF));
      Expect.equal(1, result.done() ? 1 : 0);
    };
  }

  @Override
  public long pid() throws SQLException {
    String sql =
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'tidemark'"
            + " AND datname = current_database()";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() {
    features.close();
  }
}
