// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.measure.Expect;
import io.tidemark.features.Features;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.model.Actor;
import io.tidemark.features.write.Answer;
import io.tidemark.features.write.Write;
import io.tidemark.features.write.WriteResult;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The Java API with one connection. */
final class Ours implements Side {

  static final Actor ALICE = Actor.app("bench").by("alice");
  static final String COLLECTION = "ours";

  private final String url;
  private final Features features;

  Ours(String url, Shape shape) {
    this.url = url;
    this.features = Features.open(url, "store", FeaturesOptions.defaults().withConnections(1));
    features.transact(ALICE, tx -> tx.collections().create(COLLECTION, shape.options()));
  }

  Features features() {
    return features;
  }

  @Override
  public Step batch(Kind kind, List<Sample> samples) {
    List<Write> writes = samples.stream().map(kind::write).toList();
    return () -> {
      WriteResult result =
          features.transact(ALICE, tx -> tx.write(COLLECTION, writes, Answer.BRIEF));
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
