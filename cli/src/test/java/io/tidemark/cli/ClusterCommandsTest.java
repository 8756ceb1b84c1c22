// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static io.tidemark.cli.FeatureCommandFixture.assertFailed;
import static io.tidemark.cli.FeatureCommandFixture.plain;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.FeatureCommandFixture.Outcome;
import io.tidemark.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A PostgreSQL for people who have none. */
class ClusterCommandsTest {

  private Path data;

  /** Not one of JUnit's: those can be entered only by whoever runs the tests, as root by nobody. */
  @BeforeEach
  void directory() throws IOException {
    data = Files.createTempDirectory("tidemark-up-");
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void remove() throws IOException {
    run("down");
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private Outcome run(String... words) {
    List<String> arguments = new ArrayList<>(List.of("features"));
    arguments.addAll(List.of(words));
    arguments.addAll(List.of("--data", data.toString()));
    return plain(arguments.toArray(String[]::new));
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(100).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }

  @Test
  void itIsMadeThoughTheFirstAttemptIsKilledAndFoundWithoutAnAddress() {
    try (ChildJvm child =
        ChildJvm.start(TidemarkCommand.class, "features", "up", "--data", data.toString())) {
      await(() -> child.errors().stream().anyMatch(line -> line.contains("making a cluster in")));
      child.kill();
    }

    Outcome up = run("up");
    assertThat(up.exitCode()).isZero();
    assertThat(up.err()).contains("making a cluster in " + data.resolve(".postgres"));
    assertThat(up.out())
        .startsWith("cluster   " + data.resolve(".postgres"))
        .containsPattern("server    PostgreSQL \\d+, process \\d+")
        .containsPattern("database  jdbc:postgresql://127.0.0.1:\\d+/features\\?user=tidemark&pass")
        .contains("password=***", "psql      PGPASSFILE=" + data.resolve(".postgres/cluster"));
    assertThat(run("up")).isEqualTo(new Outcome(0, up.out(), ""));
    assertThat(run("status")).isEqualTo(new Outcome(0, up.out(), ""));

    assertThat(run("collection", "list")).isEqualTo(new Outcome(0, "no collections\n", ""));
    assertThat(plain("list", "--data", data.toString()).out()).isEqualTo("no records\n");

    assertThat(run("down").out())
        .isEqualTo("stopped the PostgreSQL in " + data.resolve(".postgres") + "\n");
    Outcome status = run("status", "--json");
    assertThat(status.exitCode()).isEqualTo(1);
    assertThat(status.out()).contains("\"state\":\"stopped\"");
    assertFailed(5, "start it with 'tidemark features up'", run("collection", "list"));
  }

  @Test
  void withoutOneItIsSaidWhatToDo() {
    assertFailed(2, "make a place for them with 'tidemark features up'", run("collection", "list"));
    assertThat(run("status"))
        .isEqualTo(
            new Outcome(1, "there is no PostgreSQL in " + data.resolve(".postgres") + "\n", ""));
    assertThat(run("down").exitCode()).isZero();
    assertFailed(2, "needs a directory", plain("features", "up", "--data", "s3://bucket/prefix"));
    assertFailed(
        2, "say where the features are", plain("features", "get", "a", "b", "--data", "memory:"));
  }
}
