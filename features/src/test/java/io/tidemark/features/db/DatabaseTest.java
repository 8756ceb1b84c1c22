// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.Servers;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nobody waits for ever. */
@ExtendWith(Servers.class)
class DatabaseTest {

  @Test
  void timeOutsStayWhenTheAddressHasSettingsOfItsOwn(PostgresServer server) throws SQLException {
    String url = server.createDatabase() + "&options=-c%20work_mem=8MB";
    try (Database database = Database.connect(url, FeaturesOptions.defaults());
        Session session = new Session(database.take(), new Place("public", "store"))) {
      assertThat(session.text("SHOW statement_timeout")).hasValue("1min");
      assertThat(session.text("SHOW lock_timeout")).hasValue("2s");
      assertThat(session.text("SHOW work_mem")).hasValue("8MB");
    }
  }

  @Test
  void aServerThatHasGoneSilentIsGivenUpUnlessSomethingMayTakeLong(PostgresServer server)
      throws SQLException {
    try (Database database =
        Database.connect(server.createDatabase(), FeaturesOptions.defaults())) {
      try (Session session = new Session(database.take(), new Place("public", "store"))) {
        assertThat(session.connection().getNetworkTimeout()).isEqualTo(70_000);
        session.unhurried("SET LOCAL jit = off");
        assertThat(session.connection().getNetworkTimeout()).isZero();
        assertThat(session.text("SHOW statement_timeout")).hasValue("0");
        assertThat(session.text("SHOW jit")).hasValue("off");
        session.rollback();
      }
      try (Session session = new Session(database.take(), new Place("public", "store"))) {
        assertThat(session.connection().getNetworkTimeout()).isEqualTo(70_000);
      }
    }
  }

  @Test
  void aTimeOutThatNobodyCanCountIsRefused() {
    assertThatThrownBy(
            () ->
                new FeaturesOptions(
                    1, Duration.ofSeconds(5), Duration.ofDays(30), Duration.ofSeconds(1)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("a statement timeout of PT720H is too long; give at most PT480H");
  }
}
