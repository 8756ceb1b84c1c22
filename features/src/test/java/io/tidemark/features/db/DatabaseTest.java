// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nobody waits for ever. */
@ExtendWith(ServerExtension.class)
class DatabaseTest {

  @Test
  void timeOutsStayWhenTheAddressHasSettingsOfItsOwn(PostgresServer server) throws SQLException {
    String url = server.createDatabase() + "&options=-c%20work_mem=8MB";
    try (Database database = Database.connect(url, FeaturesOptions.defaults());
        SqlSession sqlSession =
            new SqlSession(database.connection(), new SchemaLocation("public", "store"))) {
      assertThat(sqlSession.queryText("SHOW statement_timeout")).hasValue("1min");
      assertThat(sqlSession.queryText("SHOW lock_timeout")).hasValue("2s");
      assertThat(sqlSession.queryText("SHOW work_mem")).hasValue("8MB");
    }
  }

  @Test
  void aServerThatHasGoneSilentIsGivenUpUnlessSomethingMayTakeLong(PostgresServer server)
      throws SQLException {
    try (Database database =
        Database.connect(server.createDatabase(), FeaturesOptions.defaults())) {
      try (SqlSession sqlSession =
          new SqlSession(database.connection(), new SchemaLocation("public", "store"))) {
        assertThat(sqlSession.connection().getNetworkTimeout()).isEqualTo(70_000);
        sqlSession.withoutStatementTimeout("SET LOCAL jit = off");
        assertThat(sqlSession.connection().getNetworkTimeout()).isZero();
        assertThat(sqlSession.queryText("SHOW statement_timeout")).hasValue("0");
        assertThat(sqlSession.queryText("SHOW jit")).hasValue("off");
        sqlSession.rollback();
      }
      try (SqlSession sqlSession =
          new SqlSession(database.connection(), new SchemaLocation("public", "store"))) {
        assertThat(sqlSession.connection().getNetworkTimeout()).isEqualTo(70_000);
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
