// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Databases that can't be reached or used; a password is never shown. */
class FeatureStorageMixinTest extends FeatureCommandFixture {

  private static Outcome list(String url) {
    return plain("features", "collection", "list", "--jdbc", url);
  }

  private static void refused(int exitCode, String message, String url) {
    Outcome outcome = list(url);
    assertFailed(exitCode, message, outcome);
    assertThat(outcome.out() + outcome.err()).doesNotContain("secret");
    Outcome debugged = plain("features", "collection", "list", "--debug", "--jdbc", url);
    assertThat(debugged.err()).doesNotContain("secret");
  }

  @Test
  void anAddressThatIsNoneIsRefusedWithoutItsPassword() {
    refused(4, "user and password come behind", "jdbc:postgresql://me:secret@host/db");
    refused(4, "doesn't begin with jdbc:postgresql:", "jdbc:mysql://host/db?password=secret");
    refused(4, "doesn't begin with", "postgresql://me:secret@host/db");
    refused(4, "a colon and a port", "jdbc:postgresql://host:port/db?password=secret");
  }

  @Test
  void aServerThatIsDownOrSaysNoIsTold(PostgresServer server) {
    refused(5, "PostgreSQL can't be reached", "jdbc:postgresql://127.0.0.1:1/db?password=secret");
    String wrong = url.replace(server.password(), "secret");
    refused(
        5, "password authentication failed for user \"tidemark\"; check user and password", wrong);
    refused(
        5,
        "database \"none\" does not exist; check the name, or create it",
        url.replaceFirst("test_\\w+", "none"));
    refused(
        5, "the host no.such.invalid isn't known", "jdbc:postgresql://no.such.invalid/db?user=me");
    refused(5, "there is no schema to keep features in", url + "&currentSchema=none");
  }

  @Test
  void withoutRightsItIsSaidWhichAreMissing(PostgresServer server) throws SQLException {
    try (Connection owner = DriverManager.getConnection(url);
        Statement sql = owner.createStatement()) {
      sql.execute("CREATE ROLE guest LOGIN PASSWORD 'secret'");
    }
    String guest = url.replace("user=tidemark", "user=guest").replace(server.password(), "secret");
    refused(5, "permission denied for schema public; grant the rights", guest);
  }

  @Test
  void helpTellsWhereThePasswordComesFrom() {
    assertThat(plain("help", "features", "collection", "list").out())
        .contains("--jdbc=URL", "$PGPASSWORD", "~/.pgpass", "--storage=ID", "--text-txn");
    assertThat(plain("help", "features").out()).contains("Usage: tidemark features", "collection");
    assertThat(plain("help").out()).contains("Verbs on features:", "TIDEMARK_JDBC");
    assertFailed(2, "say what to do: ", plain("features"));
  }
}
