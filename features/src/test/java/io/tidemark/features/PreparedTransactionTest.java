// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.testkit.servers.PostgresServer;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Transactions that are prepared and end much later, which need a server that allows them. */
class PreparedTransactionTest {

  @Test
  void oneThatIsPreparedGetsItsNumberWhenItIsCommitted() throws SQLException {
    try (PostgresServer server = PostgresServer.start(Map.of("max_prepared_transactions", "2"));
        TestStorage storage = TestStorage.in(server)) {
      Psql psql = storage.psql;
      psql.run(
          "SELECT naksha_sequencer_sleep(1)", // one that is to be woken
          "BEGIN",
          "SET LOCAL naksha.quiet = 'on'",
          "SELECT naksha_tx_start('a', 'b')",
          "SELECT naksha_tx_message('prepared', '')",
          "PREPARE TRANSACTION 'p'");
      for (int i = 1; i <= 4; i++) {
        psql.as("a", "b", "SELECT naksha_tx_message('m%d', '')".formatted(i));
        assertThat(psql.number("SELECT naksha_sequence(10)")).isEqualTo(1);
      }
      assertThat(psql.number("SELECT settled FROM naksha_sequencer"))
          .isLessThan(psql.number("SELECT min(txn) FROM naksha_tx"));

      psql.run("COMMIT PREPARED 'p'");
      assertThat(psql.number("SELECT naksha_sequence(10)")).isEqualTo(1);
      assertThat(storage.features.log().fromNumber(1, 10))
          .extracting(LoggedTransaction::number, t -> t.signals().get(0).id())
          .last()
          .hasToString("(5L, \"prepared\")");

      // With nobody under way, what is numbered is settled by the rounds that follow.
      for (int i = 5; i <= 6; i++) {
        psql.as("a", "b", "SELECT naksha_tx_message('m%d', '')".formatted(i));
        assertThat(psql.number("SELECT naksha_sequence(10)")).isEqualTo(1);
      }
      assertThat(psql.number("SELECT settled FROM naksha_sequencer"))
          .isGreaterThan(psql.number("SELECT min(txn) FROM naksha_tx"));
    }
  }
}
