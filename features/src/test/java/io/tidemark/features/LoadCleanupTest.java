// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.maintain.MaintenanceStep;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The maintainer drops what killed loads have left, and not what others still load. */
@ExtendWith(ServerExtension.class)
class LoadCleanupTest {

  @Test
  void tablesOfKilledLoadsAreDroppedAndReported(PostgresServer server) throws SQLException {
    try (TestStorage storage = TestStorage.in(server)) {
      storage.psql.run(
          "CREATE TABLE \"naksha_load_dead.0\" ()",
          "COMMENT ON TABLE \"naksha_load_dead.0\" IS 'dead'",
          "CREATE TABLE \"naksha_load_live.0\" ()",
          "COMMENT ON TABLE \"naksha_load_live.0\" IS 'live'",
          "SELECT pg_advisory_lock(hashtext('public.naksha_load'), hashtext('live'))");

      MaintenanceOutcome.Done done = (MaintenanceOutcome.Done) storage.features.maintain();

      assertThat(done.of("naksha_load").orElseThrow().tables(MaintenanceStep.Kind.DROPPED))
          .containsExactly("naksha_load_dead.0");
      assertThat(
              storage.psql.values(
                  "SELECT relname FROM pg_class WHERE relname LIKE 'naksha_load_%'"))
          .contains("naksha_load_live.0")
          .doesNotContain("naksha_load_dead.0");
      assertThat(((MaintenanceOutcome.Done) storage.features.maintain()).of("naksha_load"))
          .isEmpty();
    }
  }
}
