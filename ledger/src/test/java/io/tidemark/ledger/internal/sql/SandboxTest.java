// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The second wall, as if the first weren't there. */
class SandboxTest {

  @TempDir private Path directory;

  private static final List<String> ATTEMPTS =
      List.of(
          "SELECT * FROM read_csv('@/secret.csv')",
          "SELECT * FROM '@/secret.csv'",
          "SELECT * FROM '@/link.csv'",
          "SELECT * FROM '@/../secret.csv'",
          "SELECT * FROM read_text('@/allowed.csv/../secret.csv')",
          "SELECT * FROM read_blob('@/secret.csv')",
          "SELECT * FROM glob('@/*')",
          "SELECT * FROM duckdb_secrets()",
          "COPY (SELECT 1) TO '@/out.csv'",
          "EXPORT DATABASE '@/out'",
          "ATTACH '@/x.db'",
          "INSTALL httpfs",
          "LOAD httpfs",
          "LOAD '@/evil.duckdb_extension'",
          "SET enable_external_access = true",
          "SET allowed_paths = ['/']",
          "SET allowed_directories = ['/']",
          "SET temp_directory = '@'",
          "SET memory_limit = '100GB'",
          "RESET lock_configuration",
          "SET lock_configuration = false",
          "SET disabled_filesystems = ''",
          "SET log_query_path = '@/log'",
          "PRAGMA enable_profiling = 'json'",
          "SET profile_output = '@/profile'",
          "SELECT * FROM read_csv('http://localhost/x.csv')");

  @Test
  void filesAndSettingsAreOutOfReach() throws Exception {
    Files.writeString(directory.resolve("secret.csv"), "a,b\n1,2\n");
    Files.writeString(directory.resolve("allowed.csv"), "a,b\n3,4\n");
    Files.createSymbolicLink(directory.resolve("link.csv"), directory.resolve("secret.csv"));
    try (Sandbox sandbox = Sandbox.open(directory.resolve("spill"), SqlLimits.standard());
        Statement statement = sandbox.connection().createStatement()) {
      sandbox.lock(List.of(directory.resolve("allowed.csv")));

      try (ResultSet allowed = statement.executeQuery(here("FROM '@/allowed.csv'"))) {
        assertThat(allowed.next()).isTrue();
        assertThat(allowed.getInt(1)).isEqualTo(3);
      }
      for (String attempt : ATTEMPTS) {
        assertThatThrownBy(() -> statement.execute(here(attempt)))
            .as(attempt)
            .isInstanceOf(SQLException.class);
      }
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .as("the directory of spilled data is deleted")
          .containsExactlyInAnyOrder("secret.csv", "allowed.csv", "link.csv");
    }
  }

  private String here(String sql) {
    return sql.replace("@", directory.toString());
  }
}
