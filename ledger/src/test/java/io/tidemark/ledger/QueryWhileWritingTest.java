// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.query.ResultRow;
import io.tidemark.objects.MemoryBackend;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** F18: readers see one commit each, whatever is committed meanwhile. */
class QueryWhileWritingTest {

  private static final int COMMITS = 40;
  private static final int ROWS = 10;

  /** Every commit gives all rows its own number, so that a mixture would show. */
  private static void commit(Session session, long number) {
    for (int i = 0; i < ROWS; i++) {
      session.ensure(Customer.of("c" + i, number));
    }
    session.commit();
  }

  @Test
  void eachAnswerIsTheStateOfOneCommit(@TempDir Path cache) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (LedgerFixture fixture = new LedgerFixture(new MemoryBackend())) {
      Ledger ledger = fixture.init();
      AtomicBoolean written = new AtomicBoolean();
      try (Session session = ledger.session(Models.all())) {
        commit(session, 1);
        CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture);
        List<Future<Long>> readers = new ArrayList<>();
        readers.add(threads.submit(() -> read(crossCheckedQueries.duckDb(), written)));
        readers.add(threads.submit(() -> read(crossCheckedQueries.scan(), written)));
        Queries onReplica = fixture.open(withReplica(cache)).query();
        readers.add(threads.submit(() -> read(onReplica, written)));
        readers.add(threads.submit(() -> read(onReplica, written)));
        for (int number = 2; number <= COMMITS; number++) {
          commit(session, number);
        }
        written.set(true);
        for (Future<Long> reader : readers) {
          assertThat(reader.get()).as("what is seen last").isEqualTo(COMMITS);
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static LedgerOptions withReplica(Path cache) {
    return LedgerFixture.options()
        .withQueries(LedgerFixture.QUERIES.withCache(cache).withReplica(Replication.KEPT));
  }

  /** Reads until all is written, and once more. */
  private static long read(Queries queries, AtomicBoolean written) {
    long last = 0;
    boolean more = true;
    while (more) {
      more = !written.get();
      List<ResultRow<Customer>> rows = queries.entities(Customer.class).list();
      assertThat(rows).hasSize(ROWS);
      long number = rows.get(0).meta().commitId();
      assertThat(number).as("never back").isGreaterThanOrEqualTo(last);
      assertThat(rows)
          .allMatch(
              resultRow ->
                  resultRow.meta().commitId() == number && resultRow.value().age() == number);
      last = number;
    }
    return last;
  }
}
