// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is fetched at a time, when large rows come after small ones and between them. */
@ExtendWith(ServerExtension.class)
class BatchedFetchTest {

  /** Ninety small rows, then twenty large ones, then both in turn. */
  private static final String ANSWER =
      "SELECT n, CASE WHEN n BETWEEN 90 AND 110 OR n > 110 AND n % 2 = 0 THEN 1 << 20 ELSE n END AS"
          + " size FROM generate_series(0, 130) AS n ORDER BY n";

  private static final List<String> COLUMNS = List.of("n", "repeat('x', size)", "NULL::text");

  @Test
  void aPartHasNoMoreThanFitsAndItsLastRow(PostgresServer server) {
    try (Database database = Database.connect(server.createDatabase(), FeaturesOptions.defaults());
        SqlSession sqlSession =
            new SqlSession(database.connection(), new SchemaLocation("public", "store"))) {
      BatchedFetch batchedFetch = new BatchedFetch(100, COLUMNS);
      List<Integer> sizes =
          sqlSession.queryRows(
              batchedFetch.of(ANSWER),
              row -> row.getString(2) == null ? 0 : row.getString(2).length());

      for (int from = 0; from < sizes.size(); from += batchedFetch.rows()) {
        List<Integer> part =
            sizes.subList(from, Math.min(from + batchedFetch.rows(), sizes.size()));
        assertThat(part.stream().mapToInt(size -> size).sum())
            .isLessThan(BatchedFetch.MOST_BYTES + (1 << 20));
      }
    }
  }

  @Test
  void eachRowIsToldOnceInItsOrderWithAllItHas(PostgresServer server) {
    try (Database database = Database.connect(server.createDatabase(), FeaturesOptions.defaults());
        SqlSession sqlSession =
            new SqlSession(database.connection(), new SchemaLocation("public", "store"))) {
      List<Integer> told = new ArrayList<>();
      long count =
          sqlSession.each(
              100,
              COLUMNS,
              ANSWER,
              row -> {
                int n = row.getInt(1);
                boolean large = n >= 90 && (n <= 110 || n % 2 == 0);
                assertThat(row.getString(2)).hasSize(large ? 1 << 20 : n);
                assertThat(row.getString(3)).isNull();
                told.add(n);
              });

      assertThat(count).isEqualTo(131);
      assertThat(told).hasSize(131).isSorted();
    }
  }
}
