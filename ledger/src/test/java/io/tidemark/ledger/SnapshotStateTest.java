// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MemoryBackend;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot says which versions are the last, so that states are read from it as they are. */
class SnapshotStateTest {

  private static final int UNCHANGED = 400;

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());
  private Ledger ledger;

  @TempDir private Path cache;

  @BeforeEach
  void compactedLedger() {
    ledger = fixture.init();
    write(1, 30);
    ledger
        .compaction()
        .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static QueryBuilder<?> customers(Queries queries) {
    return queries.entities(Customer.class);
  }

  /** So many that the snapshot is larger than what comes later. */
  private static List<Customer> neverChanged() {
    return IntStream.range(0, UNCHANGED).mapToObj(i -> Customer.of("d" + i, i)).toList();
  }

  private void write(int from, int to) {
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      for (int i = from; i <= to; i++) {
        if (i == 1) {
          session.ensure(neverChanged());
        }
        session.ensure(Customer.of("c" + i % 7, i)).commit();
      }
    }
    ledger.flush();
  }

  private String sql(Function<Queries, QueryBuilder<?>> question) {
    LedgerOptions options =
        LedgerFixture.options().withQueries(LedgerFixture.QUERIES.withCache(cache));
    return question.apply(fixture.open(options).query()).explain().sql();
  }

  @Test
  void aStateIsACondition_h6() {
    assertThat(sql(SnapshotStateTest::customers))
        .contains("\"until#\" > 30")
        .doesNotContain("JOIN", "GROUP BY");
    assertThat(sql(q -> customers(q).asOf(12)))
        .contains("commit_id <= 12", "\"until#\" > 12")
        .doesNotContain("JOIN", "GROUP BY");
    assertThat(sql(q -> customers(q).history())).doesNotContain("until#");
    assertThat(fixture.duckDb(snapshot(), "SELECT count(*) FROM file WHERE \"until#\" > 30"))
        .containsExactly(Integer.toString(UNCHANGED + 7));
  }

  @Test
  void laterCommitsTakeTheirRowsOutOfIt_h8() {
    write(31, 33);

    assertThat(sql(SnapshotStateTest::customers)).contains("\"until#\" > 33", "ANTI JOIN");
    List<String> answers = TemporalQueryResults.all(fixture, List.of(SnapshotStateTest::customers));
    assertThat(answers).hasSize(2 + 2 * 34);
    assertThat(answers.get(0)).startsWith("latest [").contains("33:c5=").doesNotContain("26:c5=");
  }

  private String snapshot() {
    return fixture.json(CompactionContract.INDEX).at("/entries/0/path").asText();
  }
}
