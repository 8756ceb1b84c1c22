// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.model.Txn;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Numbers of transactions as SQL has them: cases A1 to A3, A7, A8 and A10. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionNumberTest {

  private static final long TOMORROW_AND_MORE = 300_000_000_000L;

  private static final String ADVISORY_LOCKS =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
          + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

  private TestStorage storage;
  private Psql psql;
  private PostgresServer server;
  private final long today = Txn.dayOf(Instant.now()).value();

  @BeforeAll
  void open(PostgresServer shared) {
    server = shared;
    storage = TestStorage.in(shared);
    psql = storage.psql;
  }

  @AfterAll
  void close() {
    storage.close();
  }

  @Test
  void a1AndA7NumbersArePackedAndUnpacked() throws SQLException {
    assertThat(psql.number("SELECT naksha_txn('2023-01-30T00:00Z', 0)"))
        .isEqualTo(2023013000000000000L);
    assertThat(psql.number("SELECT naksha_txn('2023-09-29T23:59:59Z', 98765432101)"))
        .isEqualTo(2023092998765432101L);
    assertThat(psql.value("SELECT t::text FROM naksha_txn(2023123198765432101) AS t"))
        .isEqualTo("(2023,12,31,98765432101)");
    assertThatThrownBy(() -> psql.value("SELECT naksha_txn('9224-01-01T00:00Z', 0)"))
        .hasMessageContaining("years 1 to 9223, not 9224");
  }

  @Test
  void a2TheFirstTwoNumbersOfAFreshStorage() throws SQLException {
    try (TestStorage fresh = TestStorage.in(server)) {
      assertThat(fresh.psql.number("SELECT naksha_txn()")).isEqualTo(today);
      assertThat(fresh.psql.number("SELECT naksha_txn()")).isEqualTo(today + 1);
    }
  }

  @Test
  void a3ATransactionHasOneNumberAndARollbackGivesNoneBack() throws SQLException {
    psql.run("BEGIN");
    long first = psql.number("SELECT naksha_txn()");
    assertThat(psql.number("SELECT naksha_txn()")).isEqualTo(first);
    psql.run("ROLLBACK");
    assertThat(psql.number("SELECT naksha_txn()")).isGreaterThan(first);
  }

  @Test
  void a8BothFormsOfAGuidHaveTheSameParts() throws SQLException {
    String parts = psql.value("SELECT g::text FROM naksha_guid('store:a:b:2023:1:30:7') AS g");

    assertThat(parts).isEqualTo("(store,a:b,2023,1,30,7)");
    assertThat(psql.value("SELECT g::text FROM naksha_guid('store:a:b:2023:01:30:7') AS g"))
        .isEqualTo(parts);
    assertThatThrownBy(() -> psql.value("SELECT naksha_guid('store:foo:2023:1:30')"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"));
  }

  @Test
  void a10DaysAreThoseOfUtcWhateverTheSessionsTimeZone() throws SQLException {
    psql.run("SET TIME ZONE 'Pacific/Kiritimati'");
    assertThat(psql.number("SELECT naksha_txn()") / 100_000_000_000L)
        .isEqualTo(today / 100_000_000_000L);
    psql.run("SET TIME ZONE 'America/Los_Angeles'");
    assertThat(psql.number("SELECT naksha_txn('2023-01-30T01:00Z', 0)"))
        .isEqualTo(2023013000000000000L);
    LocalDate day = new Txn(today).day();
    // At any hour, it is another day in one of these than in Greenwich.
    for (String zone : List.of("America/Los_Angeles", "Etc/GMT+12", "Etc/GMT-14")) {
      psql.run("SET TIME ZONE '%s'".formatted(zone), "DROP TABLE IF EXISTS naksha_tx_" + name(day));
      assertThat(write(day)).as(zone).containsExactly(name(day), name(day), day.toString());
    }
  }

  /** Replaces a feature for the first time that day; of which days the tables and the txn are. */
  private List<String> write(LocalDate day) throws SQLException {
    String foo = "z" + psql.number("SELECT count(*) FROM naksha_collections()");
    psql.as(
        "a",
        "b",
        "SELECT naksha_collection_create('%s', '{\"partitioned\": false}')".formatted(foo));
    assertThat(tables(foo + "_hst"))
        .containsExactly(name(day), name(day.plusDays(1)), name(day.plusDays(2)));
    psql.run("DROP TABLE %s_hst_%s".formatted(foo, name(day)));
    psql.as("a", "b", "INSERT INTO %s (jsondata) VALUES ('{}')".formatted(foo));
    psql.as("a", "b", "UPDATE %s SET jsondata = jsondata".formatted(foo));
    return List.of(
        psql.value(
            "SELECT substr(tableoid::regclass::text, %d) FROM %s_hst"
                .formatted(foo.length() + 6, foo)),
        psql.value(
            "SELECT DISTINCT substr(tableoid::regclass::text, 11) FROM naksha_tx WHERE id = '%s'"
                .formatted(foo)),
        new Txn(psql.xyz(foo).get(0).get("txn").longValue()).day().toString());
  }

  private List<String> tables(String parent) throws SQLException {
    return psql.values(
        "SELECT substr(inhrelid::regclass::text, %d) FROM pg_inherits WHERE inhparent = '%s'::regclass ORDER BY 1"
            .formatted(parent.length() + 2, parent));
  }

  private static String name(LocalDate day) {
    return day.toString().replace('-', '_');
  }

  /** A transaction from before midnight that comes after one of the new day. */
  @Test
  void numbersNeverGoBackAndANewDayBeginsWithZero() throws SQLException {
    try (TestStorage own = TestStorage.in(server)) {
      own.psql.run("SELECT setval('naksha_tx_object_id_seq', " + (today - 5) + ")");
      assertThat(own.psql.number("SELECT naksha_txn()")).isEqualTo(today);
      assertThat(own.psql.number("SELECT naksha_txn()")).isEqualTo(today + 1);
      assertThat(own.psql.number(ADVISORY_LOCKS)).isZero();

      own.psql.run("SELECT setval('naksha_tx_object_id_seq', " + (today + TOMORROW_AND_MORE) + ")");
      assertThat(own.psql.number("SELECT naksha_txn()")).isEqualTo(today + TOMORROW_AND_MORE + 1);
    }
  }

  /**
   * Somebody waits for the one who begins the new day, and is cancelled just as it is its turn. The
   * lock was the session's before, and stayed with it.
   */
  @Test
  void whoIsCancelledWhenADayBeginsKeepsNobodyOut() throws Exception {
    try (TestStorage own = TestStorage.in(server);
        Psql cancelled = Psql.connect(own.url)) {
      String key = "hashtextextended('public.naksha_tx_object_id_seq', 0)";
      long pid = cancelled.number("SELECT pg_backend_pid()");
      for (int n = 0; n < 5; n++) {
        own.psql.run(
            "SELECT setval('naksha_tx_object_id_seq', " + (today - 5) + ")",
            "SELECT pg_advisory_lock(%s)".formatted(key));
        CompletableFuture<?> waiting =
            CompletableFuture.runAsync(
                () ->
                    assertThatThrownBy(() -> cancelled.number("SELECT naksha_txn_next()"))
                        .hasMessageContaining("canceling statement"));
        while (own.psql.number("SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = " + pid)
            == 0) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
        own.psql.run("SELECT pg_cancel_backend(%d), pg_advisory_unlock(%s)".formatted(pid, key));
        waiting.get(30, TimeUnit.SECONDS);

        assertThat(own.psql.number(ADVISORY_LOCKS)).isZero();
      }
      assertThat(own.psql.number("SELECT naksha_txn()")).isEqualTo(today);
    }
  }
}
