// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Workload;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.sql.SqlResult;
import io.tidemark.ledger.query.QuerySettings.Isolation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Cost of running SQL on a compacted ledger in processes with hard limits: beside the statement in
 * this process, and beside bare DuckDB on one file with the rows of the state.
 */
final class SqlIsolation {

  /** Duration of the peer's share of a round. */
  private static final double ROUND_MICROS = 100_000;

  private static final int MOST_A_ROUND = 20;

  /** A statement, whose answer is told by the sum of its first column. */
  private enum Statement {
    LOOK_UP("look-up by key, one row", "SELECT visits FROM Customer WHERE id = 'customer-7'"),
    FILTER("filter, count", "SELECT count(*) FROM Customer WHERE active AND city = 'Porto'"),
    GROUPS(
        "groups, count and average",
        "SELECT count(*), city, avg(balance) FROM Customer GROUP BY city"),
    COMPUTED(
        "sum over pairs of rows",
        "SELECT sum(a.visits % 7 * b.visits % 11)::BIGINT"
            + " FROM (SELECT visits FROM Customer ORDER BY id LIMIT 3000) a,"
            + " (SELECT visits FROM Customer ORDER BY id LIMIT 3000) b"),
    ROWS("all rows, 4 columns", "SELECT visits, id, city, balance FROM Customer");

    private final String words;
    private final String sql;

    Statement(String words, String sql) {
      this.words = words;
      this.sql = sql;
    }
  }

  /** Somebody who runs a statement. */
  @FunctionalInterface
  private interface Runner {
    long run(Statement statement) throws Exception;
  }

  private final Path place;
  private final QueryScale scale;
  private final Report report;

  SqlIsolation(Path place, QueryScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    QueryDataset queryDataset = scale.sql();
    Path home = Files.createDirectories(place.resolve("sql"));
    String title = "SQL on %,d rows, in a process".formatted(queryDataset.customers());
    try (QueryFixture queryFixture = new QueryFixture(home, queryDataset);
        BareDuckDb floor = BareDuckDb.on(home, queryDataset)) {
      queryFixture.compact();
      try (Ledger isolated = queryFixture.openForSql(Isolation.OWN_PROCESS);
          Ledger shared = queryFixture.openForSql(Isolation.THIS_PROCESS)) {
        report.section(title, "this process");
        report.reportTime(
            "first statement, with the start of one",
            ManySmallCommits.micros(() -> total(isolated, Statement.LOOK_UP)));
        compare(each -> total(isolated, each), each -> total(shared, each));
        report.section(title, "floor");
        compare(each -> total(isolated, each), each -> floor.total(each.sql));
      }
    }
  }

  private void compare(Runner ours, Runner peer) throws Exception {
    for (Statement statement : Statement.values()) {
      Expect.equal(peer.run(statement), ours.run(statement));
      Workload asked = repeated(peer, statement);
      double micros = ManySmallCommits.micros(() -> asked.run(1));
      int operations = (int) Math.max(1, Math.min(MOST_A_ROUND, ROUND_MICROS / micros));
      report.compareTimes(
          statement.words,
          new PairedBenchmark(scale.rounds(), operations).run(repeated(ours, statement), asked),
          Optional.empty());
    }
  }

  private static Workload repeated(Runner runner, Statement statement) {
    return operations -> {
      for (int i = 0; i < operations; i++) {
        long unused = runner.run(statement);
      }
    };
  }

  private static long total(Ledger ledger, Statement statement) {
    long total = 0;
    try (SqlResult answer = ledger.query().sql(statement.sql).execute()) {
      for (Optional<List<JsonNode>> row = answer.next(); row.isPresent(); row = answer.next()) {
        total += row.get().get(0).asLong();
      }
    }
    return total;
  }
}
