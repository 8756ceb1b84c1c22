// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.Servers;
import java.sql.SQLException;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Numbers of transactions as SQL has them: cases A1 to A3, A7, A8 and A10. */
@ExtendWith(Servers.class)
class TransactionNumberTest {

  private static final long TOMORROW_AND_MORE = 300_000_000_000L;

  private final TestStorage storage;
  private final Psql psql;
  private final long today = Txn.dayOf(Instant.now()).value();

  TransactionNumberTest(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
  }

  @AfterEach
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
    assertThat(psql.number("SELECT naksha_txn()")).isEqualTo(today);
    assertThat(psql.number("SELECT naksha_txn()")).isEqualTo(today + 1);
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
    storage.create(CollectionOptions.none().unpartitioned());
    assertThat(
            psql.value(
                "SELECT count(*) FROM pg_class WHERE relname = 'naksha_tx_"
                    + new Txn(today).day().toString().replace('-', '_')
                    + "'"))
        .isEqualTo("1");
  }

  /** A transaction from before midnight that comes after one of the new day. */
  @Test
  void numbersNeverGoBack() throws SQLException {
    psql.run("SELECT setval('naksha_tx_object_id_seq', " + (today + TOMORROW_AND_MORE) + ")");

    assertThat(psql.number("SELECT naksha_txn()")).isEqualTo(today + TOMORROW_AND_MORE + 1);
  }

  @Test
  void aNewDayBeginsWithZero() throws SQLException {
    psql.run("SELECT setval('naksha_tx_object_id_seq', " + (today - 5) + ")");

    assertThat(psql.number("SELECT naksha_txn()")).isEqualTo(today);
    assertThat(psql.number("SELECT naksha_txn()")).isEqualTo(today + 1);
    assertThat(psql.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")).isZero();
  }
}
