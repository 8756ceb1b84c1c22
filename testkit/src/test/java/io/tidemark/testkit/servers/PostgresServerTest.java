// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ServerExtension.class)
class PostgresServerTest {

  @Test
  void hasPostgisInEveryFreshDatabase(PostgresServer server) throws SQLException {
    String first = server.createDatabase();
    String second = server.createDatabase();

    assertThat(first).isNotEqualTo(second);
    assertThat(query(first, "SELECT postgis_full_version()")).startsWith("POSTGIS=");
    assertThat(query(second, "SELECT ST_AsText(ST_MakeEnvelope(0, 0, 2, 1))"))
        .isEqualTo("POLYGON((0 0,0 1,2 1,2 0,0 0))");
  }

  @Test
  void keepsDatabasesApart(PostgresServer server) throws SQLException {
    String mine = server.createDatabase();
    String other = server.createDatabase();
    execute(mine, "CREATE TABLE t (id int)");

    assertThat(query(mine, "SELECT to_regclass('t') IS NOT NULL")).isEqualTo("t");
    assertThat(query(other, "SELECT to_regclass('t') IS NOT NULL")).isEqualTo("f");
  }

  @Test
  void isOursAndNotTheMachinesOwn(PostgresServer server) throws SQLException {
    String url = server.jdbcUrl();

    assertThat(query(url, "SHOW data_directory")).contains("tidemark-postgres-");
    assertThat(query(url, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
    assertThat(query(url, "SHOW fsync")).isEqualTo("off");
    assertThat(Integer.parseInt(query(url, "SHOW server_version_num")))
        .isGreaterThanOrEqualTo(150000);
  }

  @Test
  void asksForThePassword(PostgresServer server) {
    String url = server.jdbcUrl().replaceAll("password=.*", "password=guessed");

    assertThatThrownBy(() -> query(url, "SELECT 1"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password authentication failed");
  }

  @Test
  void takesSettingsAndLeavesNothingBehind() throws SQLException {
    Path data;
    String url;
    try (PostgresServer server = PostgresServer.start(Map.of("fsync", "on"))) {
      url = server.jdbcUrl();
      assertThat(query(url, "SHOW fsync")).isEqualTo("on");
      data = Path.of(query(url, "SHOW data_directory"));
      assertThat(Files.exists(data)).isTrue();
    }
    assertThat(Files.exists(data.resolve(".."))).isFalse();
    assertThatThrownBy(() -> query(url, "SELECT 1")).isInstanceOf(SQLException.class);
  }

  @Test
  void endsWithAJvmThatIsKilled() throws Exception {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                StartAndWait.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Path data;
    long pid;
    try (BufferedReader output = jvm.inputReader()) {
      data = Path.of(String.valueOf(output.readLine()));
      pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0));
    } finally {
      jvm.destroyForcibly();
    }

    ProcessHandle.of(pid)
        .ifPresent(server -> server.onExit().orTimeout(2, TimeUnit.MINUTES).join());
    assertThat(ProcessHandle.of(pid)).isEmpty();
    new PostgresCluster(data.resolveSibling(""), "").delete();
  }

  /** Starts a server, says where its data is, and waits to be killed. */
  static final class StartAndWait {
    private StartAndWait() {}

    public static void main(String[] args) throws Exception {
      System.out.println(query(PostgresServer.start().jdbcUrl(), "SHOW data_directory"));
      System.in.read();
    }
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }
}
