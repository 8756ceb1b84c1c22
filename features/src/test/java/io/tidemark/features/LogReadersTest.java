// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.log.Attachment;
import io.tidemark.features.log.LogAction;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.Transaction;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The transaction log as Java reads it: cases E1 to E4, E7 and E8. */
@ExtendWith(ServerExtension.class)
class LogReadersTest {

  private final TestStorage storage;
  private final Psql psql;
  private final TransactionLog log;

  LogReadersTest(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
    log = storage.features.log();
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private Txn message(String id) {
    return storage.features.transact(
        ALICE,
        tx -> {
          tx.message(id, id, null);
          return tx.txn();
        });
  }

  @Test
  void e1E2ATransactionComesWithAllItsSignals() throws SQLException {
    String foo = storage.small();
    String bar = storage.small();
    psql.as("a", "b", "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"x\"}')".formatted(bar));
    psql.run("BEGIN", "SELECT naksha_tx_start('app', 'me')");
    Txn txn = new Txn(psql.number("SELECT naksha_txn()"));
    long xid = psql.number("SELECT pg_current_xact_id()::text::bigint");
    Instant began = psql.moment("current_timestamp");
    psql.run(
        "INSERT INTO %s (jsondata) SELECT '{}' FROM generate_series(1, 3)".formatted(foo),
        "UPDATE %s SET jsondata = jsondata".formatted(bar),
        "SELECT naksha_tx_message('m1', 'first')",
        "SELECT naksha_tx_message('m1', 'hi', '{\"a\": 1}', '\\x0102')",
        "COMMIT");

    LoggedTransaction found = log.byTxn(txn).orElseThrow();

    assertThat(found.signals())
        .containsExactly(
            new LogAction.ModifyFeatures(foo),
            new LogAction.ModifyFeatures(bar),
            new LogAction.Message("m1", "hi", "{\"a\": 1}", new Attachment(new byte[] {1, 2})));
    assertThat(found.collections()).containsExactly(foo, bar);
    assertThat(found.psqlId()).isEqualTo(xid);
    assertThat(found.appId()).isEqualTo("app");
    assertThat(found.author()).isEqualTo("me");
    assertThat(found.numbered()).isNull();
    assertThat(found.ts()).isEqualTo(began);
    assertThat(log.byTxn(message("later")).orElseThrow().ts()).isAfter(began);

    assertThat(log.sequence()).isEqualTo(5);
    LoggedTransaction numbered = log.byTxn(txn).orElseThrow();
    assertThat(numbered.number()).isEqualTo(4);
    assertThat(log.fromNumber(4, 1)).containsExactly(numbered);
    assertThat(log.byTxn(Txn.of(txn.day().minusYears(1), 0))).isEmpty();
  }

  @Test
  void aMessageFromJavaHasTextJsonAndBytes() {
    LogAction.Message message =
        new LogAction.Message("m1", "hi", "{\"a\": 1}", new Attachment(new byte[] {0, -1}));
    Txn txn =
        storage.features.transact(
            ALICE,
            tx -> {
              tx.message("m1", "hi", "{\"a\": 1}", new Attachment(new byte[] {0, -1}));
              return tx.txn();
            });

    assertThat(log.byTxn(txn).orElseThrow().signals()).containsExactly(message);
  }

  @Test
  void e4WhatBecomesOfACollectionIsLogged() throws SQLException {
    String foo = storage.small();
    storage.features.transact(
        ALICE, tx -> tx.collections().update(foo, CollectionOptions.none().maxAge(7)));
    storage.features.transact(ALICE, tx -> tx.collections().delete(foo));

    assertThat(log.from(new Txn(psql.number("SELECT min(txn) FROM naksha_tx")), 10))
        .extracting(LoggedTransaction::signals)
        .containsExactly(
            List.of(new LogAction.ModifyCollection(foo)),
            List.of(new LogAction.ModifyCollection(foo)),
            List.of(new LogAction.ModifyCollection(foo)));
  }

  @Test
  void e3E8FromATransactionOnAndByMessage() throws SQLException {
    Txn first = message("m");
    Txn second = message("n");
    try (Transaction undone = storage.features.begin(ALICE)) {
      undone.message("m", "never", null);
    }
    psql.as("app", "null", "SELECT naksha_tx_message('m', 'by hand')");

    assertThat(log.from(first, 2))
        .extracting(LoggedTransaction::txn)
        .containsExactly(first, second);
    assertThat(log.from(second, 100)).hasSize(2);
    assertThat(log.byMessage("m", 10))
        .extracting(t -> t.txn().compareTo(first) > 0, LoggedTransaction::author)
        .containsExactly(tuple(true, null), tuple(false, "alice"));
    assertThat(log.byMessage("m", 1)).hasSize(1);
    assertThat(log.byMessage("'; --", 1)).isEmpty();
    assertThatThrownBy(() -> log.from(first, 0))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage("a limit of 0 is too small; give at least 1");
  }

  @Test
  void e7NumbersGoOnAfterADayWasDropped() throws SQLException {
    message("a");
    message("b");
    assertThat(log.sequence()).isEqualTo(2);
    assertThat(log.lastNumber()).isEqualTo(2);
    String day = message("c").day().toString().replace('-', '_');
    psql.run("DROP TABLE naksha_tx_" + day);

    message("d");
    assertThat(log.sequence()).isEqualTo(1);
    assertThat(log.fromNumber(1, 10))
        .extracting(LoggedTransaction::number, t -> t.signals().get(0).id())
        .containsExactly(tuple(3L, "d"));
  }

  @Test
  void numbersOfManyDaysAreReadFromThoseDaysOnly() throws SQLException {
    for (int day = 1; day <= 5; day++) {
      psql.run("SELECT naksha_partition('naksha_tx', '2020-01-0%d', '{}')".formatted(day));
      psql.run(
          ("INSERT INTO naksha_tx (ts, psql_id, txn, action, id, app_id) VALUES (now(), 1,"
                  + " 202001%02d00000000007, 'MESSAGE', 'm%d', 'app')")
              .formatted(day, day));
      assertThat(log.sequence()).isEqualTo(1);
    }

    assertThat(log.fromNumber(2, 3))
        .extracting(LoggedTransaction::number)
        .containsExactly(2L, 3L, 4L);
    assertThat(log.fromNumber(6, 3)).isEmpty();
    psql.run("DROP TABLE naksha_tx_2020_01_01", "DROP TABLE naksha_tx_2020_01_02");
    assertThat(log.fromNumber(1, 2)).extracting(LoggedTransaction::number).containsExactly(3L, 4L);
  }
}
