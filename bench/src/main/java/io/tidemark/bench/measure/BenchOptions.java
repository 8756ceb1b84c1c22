// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.measure;

import io.tidemark.bench.measure.Report.Form;
import io.tidemark.objects.InvalidLocationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** What every benchmark can be told, and what follows from it. */
public final class BenchOptions {

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where to make a temporary directory; its disk is what is measured.")
  private Path directory = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(names = "--quick", description = "Show that everything runs; the figures mean little.")
  private boolean quick;

  @Option(names = "--json", description = "One JSON object a line.")
  private boolean json;

  /** Whether it is only to be shown that everything runs. */
  public boolean quick() {
    return quick;
  }

  /** On the disk to be measured. */
  public Path directory() {
    if (!Files.isDirectory(directory)) {
      throw new InvalidLocationException(
          directory + " is no directory; name one on the disk to be measured");
    }
    return directory;
  }

  /** A directory for this run alone, which goes with it. */
  public Path temporaryPlace() throws IOException {
    Path place = Files.createTempDirectory(directory(), "tidemark-bench");
    // Also when it is stopped by Ctrl-C.
    Thread cleaner = new Thread(() -> delete(place), "tidemark-bench-cleaner");
    Runtime.getRuntime().addShutdownHook(cleaner);
    return place;
  }

  /** A report in the form that was asked for. */
  public Report report() {
    return new Report(System.out, json ? Form.JSON : Form.TABLE);
  }

  /** The exit code: whether the goals were met, unless the figures mean little anyway. */
  public int verdict(Report report) {
    if (report.missed().isEmpty() || quick) {
      return ExitCode.OK;
    }
    System.err.println("goals missed: " + String.join("; ", report.missed()));
    return ExitCode.SOFTWARE;
  }

  private static void delete(Path place) {
    try (Stream<Path> files = Files.walk(place)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      System.err.println("can't remove " + place + ": " + e.getMessage());
    }
  }
}
