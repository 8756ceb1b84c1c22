// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.natives.DuckDbLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that load DuckDB's library and end as if they were killed. */
class DriverLibraryTest {

  @TempDir private Path directory;

  /** Asks DuckDB, and ends without the work that a JVM does at its end. */
  static final class QueryingProcess {

    private QueryingProcess() {}

    public static void main(String[] arguments) throws Exception {
      DuckDbLibrary.useCache(Path.of(arguments[0]));
      DuckDbDatabase.inMemory(new Properties()).createStatement().execute("SELECT 1");
      Runtime.getRuntime().halt(7);
    }
  }

  private int ask(Path cache) throws IOException, InterruptedException {
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            QueryingProcess.class.getName(),
            cache.toString())
        .inheritIO()
        .start()
        .waitFor();
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  @Test
  void theLibraryIsUnpackedOnceAndNothingIsLeftBehind() throws Exception {
    Path cache = directory.resolve("cache");
    assertThat(ask(cache)).isEqualTo(7);
    List<Path> unpacked = files(cache.resolve("native"));
    assertThat(unpacked).hasSize(1);
    assertThat(unpacked.get(0).getFileName().toString())
        .matches("duckdb_java-[0-9a-f]{8}-[0-9]+.so");
    Object first = Files.readAttributes(unpacked.get(0), "lastModifiedTime,fileKey").toString();

    assertThat(ask(cache)).isEqualTo(7);
    assertThat(files(cache.resolve("native"))).isEqualTo(unpacked);
    assertThat(Files.readAttributes(unpacked.get(0), "lastModifiedTime,fileKey").toString())
        .isEqualTo(first);
    assertThat(files(directory.resolve("tmp"))).isEmpty();
  }

  @Test
  void withoutACacheNothingIsLeftBehindEither() throws Exception {
    Path noDirectory = Files.createFile(directory.resolve("cache"));
    assertThat(ask(noDirectory)).isEqualTo(7);
    assertThat(files(directory.resolve("tmp"))).isEmpty();
  }
}
