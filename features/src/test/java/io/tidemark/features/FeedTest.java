// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.log.Feed;
import io.tidemark.features.log.FeedOptions;
import io.tidemark.features.log.LogGoneException;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.Sequencer;
import io.tidemark.features.log.SequencerOptions;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The feed of sequenced changes: in order, each once, resumable, whatever connections do. */
@ExtendWith(ServerExtension.class)
class FeedTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final FeedOptions QUICK = new FeedOptions(Duration.ofMillis(50), 3);
  private static final FeedOptions PATIENT = new FeedOptions(Duration.ofMinutes(10), 100);

  private final PostgresServer server;
  private final TestStorage storage;
  private final Psql psql;
  private final TransactionLog log;

  FeedTest(PostgresServer server) {
    this.server = server;
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

  private static String next(Feed feed) {
    LoggedTransaction next = feed.next(LONG).orElseThrow();
    return next.number() + " " + next.signals().get(0).id();
  }

  @Test
  void itDeliversInOrderWhatIsThereAndWhatComes() {
    for (int i = 1; i <= 5; i++) {
      message("m" + i);
    }
    assertThat(log.sequence()).isEqualTo(5);
    try (Feed feed = log.feed(0, QUICK);
        Feed later = log.feed(3)) {
      assertThat(next(feed)).isEqualTo("1 m1");
      assertThat(next(feed)).isEqualTo("2 m2");
      assertThat(feed.position()).isEqualTo(2);
      assertThat(next(later)).isEqualTo("4 m4");
      for (int i = 3; i <= 5; i++) {
        assertThat(next(feed)).isEqualTo(i + " m" + i);
      }
      assertThat(feed.next(Duration.ZERO)).isEmpty();
      assertThat(feed.next(Duration.ofMillis(80))).isEmpty();
      message("m6");
      assertThat(feed.next(Duration.ZERO)).as("it has no number yet").isEmpty();
      assertThat(log.sequence()).isEqualTo(1);
      assertThat(next(feed)).isEqualTo("6 m6");
    }
  }

  @Test
  void aReaderWhoWaitsIsToldByWord() {
    try (Feed feed = log.feed(0, PATIENT);
        Sequencer unused = log.startSequencer(SequencerOptions.defaults())) {
      for (int i = 1; i <= 3; i++) {
        CompletableFuture<String> delivered = CompletableFuture.supplyAsync(() -> next(feed));
        message("m" + i);
        assertThat(delivered.join()).isEqualTo(i + " m" + i);
      }
    }
  }

  @Test
  void wordsThatAreLostDontMatter() throws SQLException {
    psql.run(
        "DO $$ BEGIN EXECUTE replace(pg_get_functiondef('naksha_sequence'::regproc), 'pg_notify',"
            + " 'concat'); END $$");
    try (Feed feed = log.feed(0, QUICK);
        Sequencer unused =
            log.startSequencer(SequencerOptions.defaults().polling(Duration.ofMillis(50)))) {
      for (int i = 1; i <= 3; i++) {
        CompletableFuture<String> delivered = CompletableFuture.supplyAsync(() -> next(feed));
        message("m" + i);
        assertThat(delivered.join()).isEqualTo(i + " m" + i);
      }
    }
  }

  @Test
  void itGoesOnWhereItWasWhenTheServerIsBack() throws SQLException {
    String name = psql.value("SELECT current_database()");
    message("m1");
    assertThat(log.sequence()).isEqualTo(1);
    try (Feed feed = log.feed(0, QUICK);
        Psql admin = Psql.connect(server.jdbcUrl())) {
      assertThat(next(feed)).isEqualTo("1 m1");
      CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> next(feed));
      admin.run(
          "ALTER DATABASE %s ALLOW_CONNECTIONS false".formatted(name),
          "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '%s'"
              .formatted(name));
      try (Feed other = log.feed(0, QUICK)) {
        assertThatThrownBy(() -> other.next(Duration.ofMillis(150)))
            .isInstanceOf(StorageUnavailableException.class)
            .hasMessageContaining("it goes on where it was");
      }
      admin.run("ALTER DATABASE %s ALLOW_CONNECTIONS true".formatted(name));
      message("m2");
      assertThat(log.sequence()).isEqualTo(1);
      assertThat(waiting.join()).isEqualTo("2 m2");
    }
  }

  @Test
  void daysThatWereDroppedAreNotSkippedInSilence() throws SQLException {
    LocalDate old = LocalDate.now(ZoneOffset.UTC).minusDays(9);
    psql.run(
        "SELECT naksha_partition('naksha_tx', '%s', '{}')".formatted(old),
        ("INSERT INTO naksha_tx (ts, psql_id, txn, action, id, app_id) VALUES (now(), 1, %d,"
                + " 'MESSAGE', 'm', 'app')")
            .formatted(Txn.of(old, 1).value()));
    message("m2");
    assertThat(log.sequence()).isEqualTo(2);
    psql.run("DROP TABLE naksha_tx_" + old.toString().replace('-', '_'));

    try (Feed feed = log.feed(0)) {
      assertThatThrownBy(() -> feed.next(LONG))
          .isInstanceOf(LogGoneException.class)
          .hasMessageContaining("no number 1 any more, its next is 2");
      assertThat(feed.position()).isZero();
    }
    try (Feed feed = log.feed(1)) {
      assertThat(next(feed)).isEqualTo("2 m2");
    }
  }

  @Test
  void severalWritersAreFollowedWithoutAGap() {
    List<Long> seen = new ArrayList<>();
    try (Feed feed = log.feed(0);
        Sequencer unused = log.startSequencer(SequencerOptions.defaults())) {
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int w = 0; w < 4; w++) {
        String own = "w" + w;
        writers.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < 25; i++) {
                    message(own);
                  }
                }));
      }
      while (seen.size() < 100) {
        seen.add(feed.next(LONG).orElseThrow().number());
      }
      writers.forEach(CompletableFuture::join);
      assertThat(feed.next(Duration.ZERO)).isEmpty();
    }
    for (int i = 0; i < 100; i++) {
      assertThat(seen.get(i)).isEqualTo(i + 1);
    }
  }

  @Test
  void aFeedThatIsClosedStopsWaiting() {
    Feed feed = log.feed(0, PATIENT);
    CompletableFuture<Boolean> waiting =
        CompletableFuture.supplyAsync(() -> feed.next(Duration.ofMinutes(10)).isEmpty());
    while (number(
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query ="
                + " 'ROLLBACK'")
        == 0) {
      Thread.onSpinWait();
    }
    feed.close();

    assertThat(waiting.join()).isTrue();
    assertThat(feed.next(LONG)).isEmpty();
  }

  private long number(String sql) {
    try {
      return psql.number(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
