// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.maintain.MaintenanceReport;
import io.tidemark.features.model.Txn;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the tests of the maintainer share: a storage each, and a history as old as they like. */
@ExtendWith(ServerExtension.class)
abstract class MaintenanceTestBase {

  final TestStorage storage;
  final Psql psql;
  final LocalDate today = LocalDate.now(ZoneOffset.UTC);

  MaintenanceTestBase(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
  }

  @AfterEach
  void close() {
    storage.close();
  }

  final MaintenanceReport maintained(String name) {
    return maintained(name, MaintainOptions.defaults());
  }

  final MaintenanceReport maintained(String name, MaintainOptions options) {
    MaintenanceOutcome.Done done = (MaintenanceOutcome.Done) storage.features.maintain(options);
    assertThat(done.failed()).isEmpty();
    return done.of(name).orElseThrow();
  }

  /** Puts a state into the history that was replaced on a day. */
  final void replaced(String collection, String id, LocalDate day) throws SQLException {
    replaced(collection, id, day, 5);
  }

  final void replaced(String collection, String id, LocalDate day, long n) throws SQLException {
    psql.run(
        "SELECT naksha_history_partition('%s', '%s')".formatted(collection, day),
        ("INSERT INTO %1$s_hst (i, jsondata) SELECT nextval('%1$s_i_seq'), jsonb_build_object('id',"
                + " '%2$s', 'properties', jsonb_build_object('@ns:com:here:xyz', jsonb_build_object("
                + "'txn', %3$d, 'txn_next', %4$d, 'uuid', '%2$s %4$d')))")
            .formatted(
                collection, id, Txn.of(day.minusDays(1), n).value(), Txn.of(day, n).value()));
  }

  static String table(String collection, LocalDate day) {
    return collection + "_hst_" + day.toString().replace('-', '_');
  }
}
