// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.Sequencer;
import io.tidemark.features.log.SequencerOptions;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.Transaction;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Numbering: 1 to n without holes or repeats, whatever happens; case E7 and decision 10. */
@ExtendWith(ServerExtension.class)
class SequencerTest {

  private static final int TRANSACTIONS = Boolean.getBoolean("soak") ? 3_000 : 200;
  private static final SequencerOptions QUICK =
      SequencerOptions.defaults().polling(Duration.ofMillis(100));

  private final TestStorage storage;
  private final Psql psql;
  private final TransactionLog log;

  SequencerTest(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
    log = storage.features.log();
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private void message(String id) {
    storage.features.transact(
        ALICE,
        tx -> {
          tx.message(id, null, null);
          return id;
        });
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for too long").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private void requireWhole(int transactions) {
    assertThat(log.fromNumber(1, transactions + 10))
        .extracting(LoggedTransaction::number)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, transactions).boxed().toList());
    assertThat(log.lastNumber()).isEqualTo(transactions);
  }

  @Test
  void itIsWokenByACommit() {
    SequencerOptions patient = SequencerOptions.defaults().polling(Duration.ofMinutes(10));
    try (Sequencer sequencer = log.startSequencer(patient)) {
      await(() -> sequencer.status().leading());
      for (int i = 1; i <= 5; i++) {
        // Asleep, so that only a word can wake it.
        await(() -> number("SELECT last_value FROM naksha_sequencer_sleeps") == 1);
        message("m" + i);
        long expected = i;
        await(() -> log.lastNumber() == expected);
      }
    }
    requireWhole(5);
  }

  @Test
  void aLostWordCostsAPollOnly() throws SQLException {
    psql.run(
        "CREATE OR REPLACE FUNCTION naksha_tx_wake() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NULL; END'");
    try (Sequencer sequencer = log.startSequencer(QUICK)) {
      for (int i = 1; i <= 3; i++) {
        message("m" + i);
        long expected = i;
        await(() -> log.lastNumber() == expected);
      }
      assertThat(sequencer.status().failure()).isNull();
    }
    requireWhole(3);
  }

  @Test
  void whoeverCommitsLateGetsALaterNumberAndWhoNeverDoesNone() throws SQLException {
    try (Transaction early = storage.features.begin(ALICE);
        Transaction undone = storage.features.begin(ALICE)) {
      early.message("early", null, null);
      undone.message("undone", null, null);
      psql.run("BEGIN", "SELECT naksha_tx_start('a', 'b')", "SELECT naksha_tx_message('p', '')");
      message("late");
      assertThat(log.sequence()).isEqualTo(1);
      undone.close();
      message("later");
      assertThat(log.sequence()).isEqualTo(1);
      early.commit();
      assertThat(log.sequence()).isEqualTo(1);
      psql.run("COMMIT");
      assertThat(log.sequence()).isEqualTo(1);
    }
    assertThat(log.fromNumber(1, 10))
        .extracting(t -> t.signals().get(0).id())
        .containsExactly("late", "later", "early", "p");
    assertThat(log.sequence()).isZero();
  }

  @Test
  void settledDaysAreNotLookedAtUntilAllThatCouldWriteThereHaveEnded() throws SQLException {
    try (Transaction open = storage.features.begin(ALICE)) {
      long txn = open.txn().value();
      message("a");
      round();
      message("b");
      round();
      assertThat(settled()).isLessThan(txn);
      open.message("open", null, null);
      open.commit();
    }
    round();
    // Other tests in other databases of the server count as well, since xids are the cluster's.
    await(
        () -> {
          message("more");
          round();
          return settled() > 0;
        });
    assertThat(settled())
        .isGreaterThan(number("SELECT min(txn) FROM naksha_tx"))
        .isLessThanOrEqualTo(number("SELECT max(txn) FROM naksha_tx"));
    assertThat(number("SELECT count(*) FROM naksha_tx WHERE seq_number IS NULL")).isZero();
  }

  private long settled() {
    return number("SELECT settled FROM naksha_sequencer");
  }

  private void round() {
    number("SELECT naksha_sequence(1000)");
  }

  private long number(String sql) {
    try (Psql other = Psql.connect(storage.url)) {
      return other.number(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theLogsPastIsNotReadToFindWhatHasNoNumber() throws SQLException {
    psql.run(
        "SELECT naksha_partition('naksha_tx', '2020-01-01', '{}')",
        "INSERT INTO naksha_tx (ts, psql_id, txn, action, id, app_id, seq_number) SELECT now(), 1,"
            + " 2020010100000000000 + n, 'MESSAGE', 'm', 'app', n FROM generate_series(1, 20000) n",
        "ANALYZE naksha_tx");
    String open =
        "SELECT DISTINCT txn FROM naksha_tx WHERE seq_number IS NULL AND txn > %d"
            + " ORDER BY txn LIMIT 1000";

    assertThat(String.join("\n", psql.values("EXPLAIN " + open.formatted(0))))
        .contains("naksha_tx_2020_01_01_txn_idx")
        .doesNotContain("Seq Scan on naksha_tx_2020_01_01");
    assertThat(
            String.join(
                "\n", psql.values("EXPLAIN " + open.formatted(Txn.dayOf(Instant.now()).value()))))
        .doesNotContain("2020_01_01");
  }

  @Test
  void aClockThatIsSetBackAndMidnightDontDisturbTheNumbers() throws SQLException {
    message("today");
    assertThat(log.sequence()).isEqualTo(1);
    // What a transaction of tomorrow leaves, as after a clock that was fast: numbers never go back.
    psql.run("SELECT setval('naksha_tx_object_id_seq', naksha_txn(now() + interval '1 day', 0))");
    message("tomorrow");
    // What one from before midnight leaves that ends after it, with a lower txn than those
    // numbered.
    psql.run("SELECT naksha_partition('naksha_tx', (now() AT TIME ZONE 'UTC')::date - 1, '{}')");
    psql.run(
        "INSERT INTO naksha_tx (ts, psql_id, txn, action, id, app_id) SELECT ts - interval '1 min',"
            + " 1, txn - 1, 'MESSAGE', 'before', 'app' FROM naksha_tx WHERE id = 'today'");
    psql.run("UPDATE naksha_sequencer SET seq_ts = now() + interval '1 hour'");
    assertThat(log.sequence()).isEqualTo(2);

    List<LoggedTransaction> all = log.fromNumber(1, 10);
    assertThat(all)
        .extracting(t -> t.signals().get(0).id())
        .containsExactly("today", "before", "tomorrow");
    assertThat(
            psql.number(
                "SELECT count(DISTINCT seq_ts) FROM naksha_tx WHERE seq_ts > now() - '1 min'"
                    + "::interval"))
        .isEqualTo(2);
    assertThat(
            psql.number("SELECT count(*) FROM naksha_tx WHERE seq_ts > now() + '59 min'::interval"))
        .isEqualTo(2);
    requireWhole(3);
  }

  @Test
  void racingSequencersThatAreKilledLeaveNoHoles() throws Exception {
    RandomGenerator random = Seed.of("sequencers").random();
    List<Sequencer> sequencers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sequencers.add(log.startSequencer(QUICK));
    }
    try {
      List<CompletableFuture<?>> work = new ArrayList<>();
      for (int writer = 0; writer < 3; writer++) {
        int own = writer;
        work.add(CompletableFuture.runAsync(() -> write(own, TRANSACTIONS / 4)));
      }
      // Somebody who numbers by hand meanwhile.
      work.add(CompletableFuture.runAsync(() -> writeAndNumber(TRANSACTIONS / 4)));
      CompletableFuture<Void> all = CompletableFuture.allOf(work.toArray(CompletableFuture[]::new));
      while (!all.isDone()) {
        killAtRandom(random, sequencers);
      }
      all.join();
      int expected = 3 * (TRANSACTIONS / 4) + TRANSACTIONS / 4;
      await(() -> log.lastNumber() == expected);
      requireWhole(expected);
    } finally {
      sequencers.forEach(Sequencer::close);
    }
  }

  private void write(int writer, int count) {
    for (int i = 0; i < count; i++) {
      message("w" + writer + " " + i);
    }
  }

  private void writeAndNumber(int count) {
    for (int i = 0; i < count; i++) {
      message("n" + i);
      assertThat(log.sequence()).isNotNegative();
    }
  }

  /** Ends the session that leads, or closes a sequencer and starts another. */
  private void killAtRandom(RandomGenerator random, List<Sequencer> sequencers)
      throws SQLException {
    LockSupport.parkNanos(random.nextInt(20_000_000));
    if (random.nextInt(4) > 0) {
      psql.run(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database ="
              + " (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid IN"
              + " (SELECT pid FROM pg_stat_activity WHERE query LIKE '%naksha_seq%')");
    } else {
      sequencers.remove(random.nextInt(sequencers.size())).close();
      sequencers.add(log.startSequencer(QUICK));
    }
  }
}
