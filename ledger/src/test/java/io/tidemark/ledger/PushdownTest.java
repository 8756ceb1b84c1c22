// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.query.model.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.duckdb.QueryFailedException;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.plan.Explanation.ExecutionStatistics;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MemoryBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of a file isn't read: seen by damaging it, after it was found sound. */
class PushdownTest {

  static final int ROWS = 50_000;
  private static final String LONG_NAME = "x".repeat(600);

  /** Rows of some 1.3 KB, their names and payloads together. */
  static List<Customer> customers() {
    List<Customer> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      String id = "c%06d".formatted(i);
      rows.add(new Customer(id, LONG_NAME + i, i, Optional.empty(), "Standard", true));
    }
    return rows;
  }

  /** The first of two row groups ends with the first 20 MB; this is well behind. */
  private static void damageTheSecondGroup(Path cache) throws IOException {
    try (Stream<Path> files = Files.walk(cache)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".parquet")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        for (int at = bytes.length * 7 / 10; at < bytes.length * 9 / 10; at++) {
          bytes[at] ^= 0x55;
        }
        Files.write(file, bytes);
      }
    }
  }

  private static ExecutionStatistics work(QueryBuilder<Customer> query) {
    return query.explain().course().work().orElseThrow();
  }

  @Test
  void rowGroupsAreSkippedByTheLimitsOfTypedColumnsAndKeys(@TempDir Path cache) throws IOException {
    try (LedgerFixture fixture = new LedgerFixture(new MemoryBackend())) {
      LedgerOptions options =
          LedgerFixture.options()
              .withMaxBatchSize(ROWS)
              .withQueries(LedgerFixture.QUERIES.withCache(cache));
      fixture.initialiser().init();
      Ledger ledger = fixture.open(options);
      try (Session session = ledger.session(RecordType.of(Customer.class))) {
        session.ensure(customers()).commit();
      }
      Queries queries = ledger.query();
      QueryBuilder<Customer> all = queries.entities(Customer.class);
      assertThat(all.where(field("age").ge(0)).count()).isEqualTo(ROWS);
      ExecutionStatistics read = work(all.where(field("name").contains("49999")));
      assertThat(read.rowGroups()).isEqualTo(2);
      assertThat(read.rowGroupsRead()).isEqualTo(2);
      for (Filter one : List.of(field("age").lt(3), field("id").eq("c000007"))) {
        ExecutionStatistics some = work(all.where(one));
        assertThat(some.rowGroupsRead()).as("one can't have such rows").isEqualTo(1);
        assertThat(some.bytesRead()).isPositive().isLessThan(read.bytesRead());
      }
      damageTheSecondGroup(cache);

      assertThat(all.where(field("age").lt(3)).list())
          .extracting(resultRow -> resultRow.value().age())
          .containsExactly(0L, 1L, 2L);
      assertThat(all.where(field("id").eq("c000007")).list()).hasSize(1);
      assertThatThrownBy(() -> all.where(field("name").contains("49999")).list())
          .isInstanceOf(QueryFailedException.class);
    }
  }
}
