// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.start;

import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Processes of the command from start to end, in turn with processes of a bare JVM, so that
 * whatever else the machine does falls on both.
 */
final class StartTimes {

  /** Makes the JVM end before it loads a class of ours: what is left is launcher and JVM. */
  private static final Map<String, String> ONLY_JVM = Map.of("TIDEMARK_JAVA_OPTS", "-version");

  /** Half a second, or as many times a bare JVM as that is where one takes 40 ms. */
  private static final Goal HALF_A_SECOND = Goal.atMost(12.5).orPerSecond(2);

  private static final String ROW = "{\"id\":\"a\",\"size\":1}\n";
  private static final String SCHEMA =
      "{\"entity\":\"Note\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"size\":\"long\"}}";

  private final Path launcher;
  private final Path place;
  private final int rounds;
  private final Report report;

  /**
   * Plans the comparison.
   *
   * @param launcher the script {@code ./tidemark}, or another program that takes its arguments
   * @param place a directory for a store with one row, and for the class of the bare program
   * @param rounds how many starts of each are counted
   */
  StartTimes(Path launcher, Path place, int rounds, Report report) {
    this.launcher = launcher;
    this.place = place;
    this.rounds = rounds;
    this.report = report;
  }

  void run() throws Exception {
    Workload bare = process(Map.of(), bareJvm());
    String data = store().toString();
    report.section("Starts, %d of each".formatted(rounds), "bare JVM");
    compare("launcher and JVM", process(ONLY_JVM, command()), bare, Optional.empty());
    compare("--version", process(Map.of(), command("--version")), bare, goal(2.5));
    compare("list", process(Map.of(), command("list", "--data", data)), bare, goal(5));
    Workload query = process(Map.of(), command("query", "notes", "Note", "--data", data));
    compare("query of one row", query, bare, Optional.of(HALF_A_SECOND));
  }

  private static Optional<Goal> goal(double atMost) {
    return Optional.of(Goal.atMost(atMost));
  }

  private void compare(String what, Workload ours, Workload bare, Optional<Goal> goal)
      throws Exception {
    report.compareTimes(what, new PairedBenchmark(rounds, 1).run(ours, bare), goal);
  }

  private List<String> command(String... words) {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(words));
    return command;
  }

  /** The class is alone in its directory, as no jar has to be opened for it. */
  private List<String> bareJvm() throws IOException {
    String name = Hello.class.getName();
    Path file = place.resolve("bare").resolve(name.replace('.', '/') + ".class");
    Files.createDirectories(file.getParent());
    try (InputStream bytes = Hello.class.getResourceAsStream("Hello.class")) {
      if (bytes == null) {
        throw new IllegalStateException("this build lacks the class file of " + name);
      }
      Files.write(file, bytes.readAllBytes());
    }
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return List.of(java.toString(), "-Xshare:auto", "-cp", place.resolve("bare").toString(), name);
  }

  /** A ledger with one row, which is committed by the command itself. */
  private Path store() throws Exception {
    Path data = place.resolve("data");
    String schema = Files.writeString(place.resolve("schema.json"), SCHEMA).toString();
    String rows = Files.writeString(place.resolve("rows.jsonl"), ROW).toString();
    process(Map.of(), command("ledger", "init", "notes", "--data", data.toString())).run(1);
    process(
            Map.of(),
            command(
                "commit",
                "notes",
                rows,
                "--type",
                "Note",
                "--schema",
                schema,
                "-m",
                "one row",
                "--data",
                data.toString()))
        .run(1);
    return data;
  }

  private static Workload process(Map<String, String> environment, List<String> command) {
    return times -> {
      for (int i = 0; i < times; i++) {
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().remove("TIDEMARK_JAVA_OPTS");
        process.environment().putAll(environment);
        process.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
        Expect.equal(0, process.start().waitFor());
      }
    };
  }
}
