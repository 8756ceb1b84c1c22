// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.maintain.BackgroundMaintainer;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.maintain.MaintenanceReport;
import io.tidemark.features.maintain.MaintenanceStep;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import io.tidemark.testkit.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The maintainer: decision 13, and partitions ahead of time. */
class MaintainerTest extends MaintenanceTestBase {

  MaintainerTest(PostgresServer server) {
    super(server);
  }

  @Test
  void partitionsOfTodayAndTwoMoreDaysAreMade() throws SQLException {
    String foo = storage.small();
    String day = today.plusDays(2).toString().replace('-', '_');
    psql.run("DROP TABLE %s_hst_%s".formatted(foo, day), "DROP TABLE naksha_tx_" + day);

    MaintenanceOutcome.Done done = (MaintenanceOutcome.Done) storage.features.maintain();

    assertThat(done.upkeep()).extracting(MaintenanceReport::name).containsExactly("naksha_tx", foo);
    assertThat(done.of("naksha_tx").orElseThrow().tables(MaintenanceStep.Kind.CREATED))
        .containsExactly("naksha_tx_" + day);
    assertThat(done.of(foo).orElseThrow().tables(MaintenanceStep.Kind.CREATED))
        .containsExactly(foo + "_hst_" + day);
    assertThat(maintained(foo).steps()).isEmpty();
  }

  @Test
  void aStepThatOthersAreInTheWayOfIsLeftForTheNextTime() throws SQLException {
    String foo = storage.create(CollectionOptions.none().unpartitioned().maxAge(10));
    replaced(foo, "a", today.minusDays(20));
    try (Psql reader = Psql.connect(storage.url)) {
      reader.run("BEGIN", "SELECT count(*) FROM %s_hst".formatted(foo));

      assertThat(maintained(foo).tables(MaintenanceStep.Kind.SKIPPED))
          .containsExactly(table(foo, today.minusDays(20)));
      reader.run("COMMIT");
    }
    assertThat(maintained(foo).tables(MaintenanceStep.Kind.DROPPED))
        .containsExactly(table(foo, today.minusDays(20)));
  }

  @Test
  void aFailureOfOneCollectionDoesntStopTheOthers() throws SQLException {
    String bad = storage.small();
    String good = storage.small();
    replaced(bad, "a", today.minusDays(3));
    replaced(good, "a", today.minusDays(3));
    psql.run("DROP TABLE %s_meta".formatted(bad));

    MaintenanceOutcome.Done done = (MaintenanceOutcome.Done) storage.features.maintain();

    assertThat(done.failed()).extracting(MaintenanceReport::name).containsExactly(bad);
    assertThat(done.failed().get(0).failure()).contains(bad + "_meta\" does not exist");
    assertThat(done.of(good).orElseThrow().statistics()).isNotNull();
    assertThat(done.of(bad).orElseThrow().tables(MaintenanceStep.Kind.SEALED)).hasSize(1);
  }

  @Test
  void theLogIsDroppedOnlyWhenAskedAndNumbered() throws SQLException {
    LocalDate old = today.minusDays(9);
    psql.run(
        "SELECT naksha_partition('naksha_tx', '%s', '{}')".formatted(old),
        ("INSERT INTO naksha_tx (ts, psql_id, txn, action, id, app_id) VALUES (now(), 1, %d,"
                + " 'MESSAGE', 'm', 'app')")
            .formatted(Txn.of(old, 1).value()));
    MaintainOptions week = MaintainOptions.defaults().keepingLogFor(7);
    String name = "naksha_tx_" + old.toString().replace('-', '_');

    assertThat(maintained("naksha_tx").steps()).isEmpty();
    assertThat(maintained("naksha_tx", week).tables(MaintenanceStep.Kind.SKIPPED))
        .containsExactly(name);
    assertThat(storage.features.log().sequence()).isEqualTo(1);
    assertThat(maintained("naksha_tx", week).tables(MaintenanceStep.Kind.DROPPED))
        .containsExactly(name);
    assertThat(storage.features.log().lastNumber()).isEqualTo(1);
    assertThat(storage.features.log().fromNumber(1, 5)).isEmpty();
  }

  @Test
  void oneMaintainsAtATime() throws SQLException {
    psql.run("SELECT pg_advisory_lock(hashtext('public.naksha'), hashtext('maintainer'))");

    assertThat(storage.features.maintain()).isEqualTo(new MaintenanceOutcome.Busy());
    psql.run("SELECT pg_advisory_unlock_all()");
    assertThat(storage.features.maintain()).isInstanceOf(MaintenanceOutcome.Done.class);
  }

  @Test
  void inTheBackgroundItWorksAgainAndAgainUntilTheStorageIsClosed() throws SQLException {
    String foo = storage.small();
    BackgroundMaintainer background =
        storage.features.startMaintainer(MaintainOptions.defaults().every(Duration.ofMillis(50)));
    for (int n = 0; n < 2; n++) {
      psql.run("DROP TABLE " + table(foo, today.plusDays(2)));
      while (psql.value("SELECT to_regclass('%s')".formatted(table(foo, today.plusDays(2))))
          == null) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
    storage.features.close();

    assertThat(background.last()).get().isInstanceOf(MaintenanceOutcome.Done.class);
    assertThatThrownBy(() -> MaintainOptions.defaults().every(Duration.ofHours(13)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("every PT13H");
  }
}
