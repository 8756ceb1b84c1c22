// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.db.CommitResolver;
import io.tidemark.features.db.Database;
import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.db.SchemaLocation;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.Transaction;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The transaction log, partitions of a day, and commits: cases E1 to E3, E8 and F12. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionLogTest {

  private TestStorage storage;
  private Psql psql;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
  }

  @AfterAll
  void close() {
    storage.close();
  }

  @Test
  void e1E2E8SignalsOfATransaction() throws SQLException {
    String foo = storage.small();
    String bar = storage.small();
    psql.as("a", "b", "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"x\"}')".formatted(bar));
    psql.run("BEGIN", "SELECT naksha_tx_start('app', 'me')");
    long txn = psql.number("SELECT naksha_txn()");
    String xid = psql.value("SELECT pg_current_xact_id()");
    String began = psql.value("SELECT current_timestamp");
    psql.run(
        "INSERT INTO %s (jsondata) SELECT '{}' FROM generate_series(1, 3)".formatted(foo),
        "INSERT INTO %s (jsondata) SELECT '{}' FROM generate_series(1, 3)".formatted(foo),
        "UPDATE %s SET jsondata = jsondata WHERE false".formatted(foo),
        "UPDATE %s SET jsondata = jsondata".formatted(bar),
        "SELECT naksha_tx_message('m1', 'first')",
        "SELECT naksha_tx_message('m1', 'hi', '{\"a\": 1}')",
        "COMMIT");

    String day = new Txn(txn).day().toString().replace('-', '_');
    assertThat(
            psql.values(
                "SELECT concat_ws(' ', tableoid::regclass, action, id, app_id, author, psql_id = '%s', ts = '%s',"
                        .formatted(xid, began)
                    + " seq_number IS NULL, msg_text, msg_json) FROM naksha_tx WHERE txn = "
                    + txn
                    + " ORDER BY i"))
        .containsExactly(
            "naksha_tx_%s MODIFY_FEATURES %s app me t t t".formatted(day, foo),
            "naksha_tx_%s MODIFY_FEATURES %s app me t t t".formatted(day, bar),
            "naksha_tx_%s MESSAGE m1 app me t t t hi {\"a\": 1}".formatted(day));
  }

  @Test
  void e8WhoOnlyHasPsqlIsInTheLogToo() throws SQLException {
    String foo = storage.small();
    for (String change :
        List.of(
            "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"x\"}')",
            "DELETE FROM %s WHERE jsondata->>'id' = 'x'")) {
      psql.run("BEGIN", "SELECT naksha_tx_start('psql', 'bob')", change.formatted(foo));
      long txn = psql.number("SELECT naksha_txn()");
      psql.run("COMMIT");

      LoggedTransaction logged = storage.features.log().byTxn(new Txn(txn)).orElseThrow();
      assertThat(logged.appId()).isEqualTo("psql");
      assertThat(logged.author()).isEqualTo("bob");
      assertThat(logged.signals())
          .singleElement()
          .satisfies(
              logAction -> {
                assertThat(logAction.action()).hasToString("MODIFY_FEATURES");
                assertThat(logAction.id()).isEqualTo(foo);
              });
    }
  }

  @Test
  void e3WhatIsUndoneLeavesNoSignal() throws SQLException {
    String foo = storage.small();
    psql.run(
        "BEGIN",
        "SELECT naksha_tx_start('app', 'me')",
        "INSERT INTO %s (jsondata) VALUES ('{}')".formatted(foo),
        "ROLLBACK");
    try (Transaction tx = storage.features.begin(ALICE)) {
      tx.message("never", "never", null);
    }
    assertThat(signals(foo)).containsExactly("MODIFY_COLLECTION");
    assertThat(signals("never")).isEmpty();

    // A statement that was undone takes its signal with it, and the next one signals again.
    psql.as(
        "app",
        "me",
        "SAVEPOINT s",
        "INSERT INTO %s (jsondata) VALUES ('{}')".formatted(foo),
        "ROLLBACK TO s",
        "INSERT INTO %s (jsondata) VALUES ('{}')".formatted(foo));
    assertThat(signals(foo)).containsExactly("MODIFY_COLLECTION", "MODIFY_FEATURES");
  }

  private List<String> signals(String id) throws SQLException {
    return psql.values("SELECT action FROM naksha_tx WHERE id = '%s' ORDER BY txn".formatted(id));
  }

  @Test
  void f12TheFirstWriteOfADayBlocksNoReader() throws SQLException {
    String foo = storage.small();
    psql.as(
        "a",
        "b",
        "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"x\"}'), ('{\"id\": \"y\"}')".formatted(foo));
    String day = Txn.dayOf(Instant.now()).day().toString().replace('-', '_');
    psql.run("DROP TABLE %s_hst_%s".formatted(foo, day), "DROP TABLE naksha_tx_" + day);

    psql.run("BEGIN", "SELECT naksha_tx_start('a', 'b')");
    psql.run("UPDATE %s SET jsondata = jsondata WHERE jsondata->>'id' = 'x'".formatted(foo));
    try (Psql reader = Psql.connect(storage.url)) {
      reader.run("SET statement_timeout = '60s'");
      assertThat(reader.number("SELECT count(*) FROM %s_hst".formatted(foo))).isZero();
      psql.run("COMMIT");
      assertThat(reader.number("SELECT count(*) FROM %s_hst_%s".formatted(foo, day))).isEqualTo(1);
    }
  }

  @Test
  void partitionsOfTheNextTwoDaysAreThere() throws SQLException {
    String foo = storage.small();

    assertThat(
            psql.number(
                "SELECT count(*) FROM pg_inherits WHERE inhparent = '%s_hst'::regclass"
                    .formatted(foo)))
        .isEqualTo(3);
    assertThat(
            psql.number("SELECT count(*) FROM pg_inherits WHERE inhparent = 'naksha_tx'::regclass"))
        .isEqualTo(3);
  }

  @Test
  void aCommitOnABrokenConnectionIsKnownNotToHaveTakenPlace() throws SQLException {
    try (Transaction tx = storage.features.begin(ALICE)) {
      tx.message("lost", "lost", null);
      psql.run(
          "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname ="
              + " current_database() AND application_name = 'tidemark' AND state = 'idle in"
              + " transaction'");

      assertThatThrownBy(tx::commit)
          .isInstanceOf(StorageUnavailableException.class)
          .hasMessageContaining("the commit, which didn't take place");
    }
    assertThat(signals("lost")).isEmpty();
  }

  @Test
  void aLostCommitIsFoundToHaveTakenPlace() throws SQLException {
    psql.run("BEGIN", "SELECT naksha_tx_start('a', 'b')");
    CommitResolver.TransactionStart transactionStart =
        new CommitResolver.TransactionStart(
            psql.value("SELECT pg_current_xact_id()"), psql.value("SELECT current_timestamp"));
    psql.run("SELECT naksha_tx_message('m', 'kept')", "COMMIT");

    try (Database database = Database.connect(storage.url, FeaturesOptions.defaults())) {
      CommitResolver lost =
          new CommitResolver(
              new FeatureStorage(database, new SchemaLocation("public", "store")),
              transactionStart);
      assertThat(lost.wasCommitted(new StorageUnavailableException("lost"))).isTrue();
    }
  }

  @Test
  void theWorkOfATransactionIsUndoneWhenItFails() throws SQLException {
    assertThatThrownBy(
            () ->
                storage.features.transact(
                    ALICE,
                    tx -> {
                      tx.message("undone", "x", null);
                      throw new IllegalStateException("of my own");
                    }))
        .hasMessage("of my own");
    assertThatThrownBy(() -> Actor.app("")).isInstanceOf(InvalidRequestException.class);
    assertThat(signals("undone")).isEmpty();
  }
}
