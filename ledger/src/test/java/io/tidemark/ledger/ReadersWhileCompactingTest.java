// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.query.ResultRow;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers ask while a writer commits, somebody compacts, and somebody collects what compaction has
 * no more use for at once, without the safe age. No reader fails, and each answer is the state of
 * the commit it is pinned to, be it read from files, row by row, or from a replica that is fed
 * meanwhile.
 */
@ExtendWith(ServerExtension.class)
class ReadersWhileCompactingTest {

  private static final int COMMITS = Boolean.getBoolean("soak") ? 1_000 : 40;
  private static final int COMMITS_ON_S3 = Boolean.getBoolean("soak") ? 200 : 12;
  private static final int ROWS = 5;

  @TempDir private Path directory;

  private final AtomicBoolean written = new AtomicBoolean();

  @Test
  void inMemoryEachAnswerIsTheStateOfOneCommit() throws Exception {
    run(new MemoryBackend(), COMMITS);
  }

  @Test
  void inADirectoryEachAnswerIsTheStateOfOneCommit() throws Exception {
    run(DirectoryBackend.open(directory.resolve("store"), Durability.PAGE_CACHE), COMMITS);
  }

  @Test
  void onS3EachAnswerIsTheStateOfOneCommit(S3Server server) throws Exception {
    run(S3WritersTest.backend(server.createBucket()), COMMITS_ON_S3);
  }

  private void run(ObjectBackend backend, int commits) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (LedgerFixture fixture = new LedgerFixture(backend)) {
      fixture.initialiser().init();
      Ledger writer = fixture.open();
      List<Future<Long>> others = new ArrayList<>();
      try (Session session = writer.session(Models.all())) {
        commit(session, 1);
        Ledger compactor = fixture.open();
        Ledger rival = fixture.open();
        for (Callable<Long> task :
            List.<Callable<Long>>of(
                () -> read(fixture, Engine.DUCKDB, Replication.NONE),
                () -> read(fixture, Engine.DUCKDB, Replication.KEPT),
                () -> read(fixture, Engine.SCAN, Replication.NONE),
                () -> readAnew(fixture),
                () -> compact(compactor),
                () -> compactFullTiers(rival))) {
          others.add(threads.submit(task));
        }
        for (int number = 2; number <= commits; number++) {
          commit(session, number);
        }
      } finally {
        written.set(true);
      }
      for (Future<Long> other : others) {
        assertThat(other.get()).as("what is seen last").isEqualTo(commits);
      }
      assertThat(fixture.open().query().entities(Customer.class).history().count())
          .isEqualTo(commits * (long) ROWS);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Every commit gives all rows its own number, so that a mixture would show. */
  private static void commit(Session session, long number) {
    for (int i = 0; i < ROWS; i++) {
      session.ensure(Customer.of("c" + i, number));
    }
    session.commit();
  }

  private Ledger reader(LedgerFixture fixture, Engine engine, Replication replica) {
    LedgerOptions options = LedgerFixture.options();
    return Ledger.open(
        fixture.store(),
        LedgerFixture.PREFIX,
        options.withQueries(
            options
                .queries()
                .withEngine(engine)
                .withReplica(replica)
                .withCache(directory.resolve("cache"))));
  }

  /** Reads until all is written, and once more. */
  private long read(LedgerFixture fixture, Engine engine, Replication replica) {
    long last = 0;
    boolean more = true;
    try (Ledger ledger = reader(fixture, engine, replica)) {
      while (more) {
        more = !written.get();
        last = look(ledger.query(), last);
      }
    }
    return last;
  }

  /** The same, each time as a process that has never seen the ledger. */
  private long readAnew(LedgerFixture fixture) {
    long last = 0;
    boolean more = true;
    while (more) {
      more = !written.get();
      try (Ledger ledger = reader(fixture, Engine.SCAN, Replication.NONE)) {
        last = look(ledger.query(), last);
      }
    }
    return last;
  }

  private static long look(Queries queries, long last) {
    QueryBuilder<Customer> customers = queries.entities(Customer.class);
    long number = stateOf(customers.list());
    assertThat(number).as("never back").isGreaterThanOrEqualTo(last);
    long earlier = (number + 1) / 2;
    assertThat(stateOf(customers.asOf(earlier).list())).isEqualTo(earlier);
    assertThat(customers.history().asOf(number).count()).isEqualTo(number * ROWS);
    return number;
  }

  /** The commit that all rows are of. */
  private static long stateOf(List<ResultRow<Customer>> rows) {
    assertThat(rows).hasSize(ROWS);
    long number = rows.get(0).meta().commitId();
    assertThat(rows)
        .allMatch(
            resultRow ->
                resultRow.meta().commitId() == number && resultRow.value().age() == number);
    return number;
  }

  private long compact(Ledger ledger) {
    boolean more = true;
    while (more) {
      more = !written.get();
      long head = ledger.log().head().orElseThrow();
      CompactionScope compactionScope = head % 2 == 0 ? CompactionScope.ALL : CompactionScope.TIERS;
      ledger.compaction().run(ledger.compaction().plan(compactionScope), CompactionListener.none());
      ledger.obsoleteSnapshots().find(Duration.ZERO).forEach(ledger.obsoleteSnapshots()::delete);
    }
    return ledger.log().head().orElseThrow();
  }

  private long compactFullTiers(Ledger ledger) {
    boolean more = true;
    while (more) {
      more = !written.get();
      ledger
          .compaction()
          .run(ledger.compaction().plan(CompactionScope.FULL_TIERS), CompactionListener.none());
    }
    return ledger.log().head().orElseThrow();
  }
}
