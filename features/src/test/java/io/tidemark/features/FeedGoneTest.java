// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.log.Feed;
import io.tidemark.features.log.LogGoneException;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.features.model.Txn;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A feed whose next number was dropped with its day, or never was in this log. */
@ExtendWith(ServerExtension.class)
class FeedGoneTest {

  @Test
  void aFeedDoesNotWaitForWhatWasDropped(PostgresServer server) throws SQLException {
    LocalDate old = LocalDate.now(ZoneOffset.UTC).minusDays(9);
    try (TestStorage storage = TestStorage.in(server)) {
      TransactionLog log = storage.features.log();
      storage.psql.run(
          "SELECT naksha_partition('naksha_tx', '%s', '{}')".formatted(old),
          ("INSERT INTO naksha_tx (ts, psql_id, txn, action, id, app_id) VALUES (now(), 1, %d,"
                  + " 'MESSAGE', 'm', 'app')")
              .formatted(Txn.of(old, 1).value()));
      assertThat(log.sequence()).isEqualTo(1);
      storage.psql.run("SELECT naksha_tx_drop('%s')".formatted(old));

      try (Feed feed = log.feed(0)) {
        assertThatThrownBy(() -> feed.next(Duration.ofMinutes(1)))
            .isInstanceOf(LogGoneException.class)
            .hasMessageContaining("no number 1 any more, its next is 2");
        assertThat(feed.position()).isZero();
      }
      try (Feed feed = log.feed(1)) {
        assertThat(feed.next(Duration.ZERO)).isEmpty();
      }
    }
  }

  /** As after a backup was restored, or when a reader is pointed at another storage. */
  @Test
  void aFeedDoesNotWaitForTheLogToReachAPositionThatIsAhead(PostgresServer server)
      throws SQLException {
    try (TestStorage storage = TestStorage.in(server)) {
      TransactionLog log = storage.features.log();
      storage.psql.as("app", "me", "SELECT naksha_tx_message('m', 'text')");
      assertThat(log.sequence()).isEqualTo(1);

      try (Feed feed = log.feed(2)) {
        assertThatThrownBy(() -> feed.next(Duration.ofSeconds(5)))
            .isInstanceOf(LogGoneException.class)
            .hasMessageContaining("the position 2 is ahead of the log, which ends at 1")
            .hasMessageContaining("begin after 1");
        assertThat(feed.position()).isEqualTo(2);
      }
      assertThat(log.fromNumber(2, 5)).isEmpty();
      assertThatThrownBy(() -> log.fromNumber(3, 5))
          .isInstanceOf(LogGoneException.class)
          .hasMessageContaining("the position 2 is ahead of the log");
    }
  }
}
