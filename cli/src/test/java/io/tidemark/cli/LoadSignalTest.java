// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** {@code features load} that is told to end while it loads, as by Ctrl-C. */
class LoadSignalTest extends FeatureCommandFixture {

  /** Java has one way to end by either, so the second is for those who have the time. */
  private static final List<String> SIGNALS =
      Boolean.getBoolean("soak") ? List.of("INT", "TERM") : List.of("INT");

  private static final long LIMIT = Duration.ofSeconds(100).toNanos();

  @Test
  void aLoadThatIsToldToEndLeavesNothing() throws Exception {
    for (String signal : SIGNALS) {
      Path pipe = directory.resolve(signal + ".geojsonl");
      Process endless = endless(pipe);
      try (ChildJvm child =
          ChildJvm.start(
              TidemarkCommand.class,
              "features",
              "load",
              "roads",
              pipe.toString(),
              "--create",
              "--one-table",
              "--jdbc",
              url)) {
        awaitRows();

        assertThat(child.endBy(signal)).isEqualTo(signal.equals("INT") ? 130 : 143);

        assertThat(child.errors())
            .containsExactly("tidemark: the load was stopped; nothing of it is there");
      } finally {
        endless.destroyForcibly().waitFor();
      }
      assertThat(loading()).isEmpty();
      assertThat(done("collection", "list", "--deleted")).isEqualTo("no collections");
    }
  }

  /** Features that never end, so that the load can't be done before it is told to end. */
  private static Process endless(Path pipe) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return new ProcessBuilder("sh", "-c", "exec yes '{}' > \"$0\"", pipe.toString()).start();
  }

  private void awaitRows() throws SQLException {
    long start = System.nanoTime();
    while (loading().isEmpty()) {
      assertThat(System.nanoTime() - start).as("the load begins").isLessThan(LIMIT);
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  /** The tables that a load has of its own. */
  private String loading() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT coalesce(string_agg(relname, ' '), '') FROM pg_class"
                    + " WHERE relname LIKE 'naksha\\_load\\_%' AND relkind = 'r'")) {
      assertThat(found.next()).isTrue();
      return found.getString(1);
    }
  }
}
