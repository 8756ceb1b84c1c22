// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.ResultRow;
import io.tidemark.ledger.query.plan.Explanation.ExecutionStatistics;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MemoryBackend;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries that need more memory than they are given use the disk instead of failing. */
class TightMemoryTest {

  private static final long LIMIT = 80_000_000;

  /** What DuckDB has when it finds that it has reached its limit is a little more than that. */
  private static final long MOST = LIMIT + LIMIT / 20;

  @Test
  void whatDoesNotFitIsSpilled(@TempDir Path cache) {
    try (LedgerFixture fixture = new LedgerFixture(new MemoryBackend())) {
      LedgerOptions options =
          LedgerFixture.options()
              .withMaxBatchSize(PushdownTest.ROWS)
              .withQueries(LedgerFixture.QUERIES.withCache(cache).withMemoryLimit(LIMIT + "B"));
      fixture.initialiser().init();
      Ledger ledger = fixture.open(options);
      try (Session session = ledger.session(RecordType.of(Customer.class))) {
        session.ensure(PushdownTest.customers()).commit();
      }
      QueryBuilder<Customer> sorted = ledger.query().entities(Customer.class).orderBy("name");

      ExecutionStatistics executionStatistics = sorted.explain().course().work().orElseThrow();

      assertThat(executionStatistics.spilled()).as("on the disk").isPositive();
      assertThat(executionStatistics.memory()).as("in memory").isLessThanOrEqualTo(MOST);
      assertThat(inOrder(sorted)).isEqualTo(PushdownTest.ROWS);
    }
  }

  private static long inOrder(QueryBuilder<Customer> sorted) {
    long rows = 0;
    String last = "";
    try (Stream<ResultRow<Customer>> hits = sorted.stream()) {
      for (Iterator<ResultRow<Customer>> each = hits.iterator(); each.hasNext(); rows++) {
        String name = each.next().value().name();
        assertThat(name).isGreaterThan(last);
        last = name;
      }
    }
    return rows;
  }
}
