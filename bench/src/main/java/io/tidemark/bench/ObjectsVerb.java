// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import io.tidemark.bench.Report.Form;
import io.tidemark.objects.InvalidLocationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code tidemark bench objects}. */
@Command(
    name = "objects",
    description = {
      "Measures the object stores: the directory beside bare file operations, S3 beside the bare",
      "client on a server of its own. Ends with exit code 1 when a goal is missed."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark bench objects",
      "  tidemark bench objects --directory /mnt/ssd",
      "  tidemark bench objects --quick --json"
    })
final class ObjectsVerb implements Callable<Integer> {

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where to make a temporary directory; its disk is what is measured.")
  private Path directory = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(names = "--quick", description = "Show that everything runs; the figures mean little.")
  private boolean quick;

  @Option(names = "--json", description = "One JSON object a line.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    if (!Files.isDirectory(directory)) {
      throw new InvalidLocationException(
          directory + " is no directory; name one on the disk to be measured");
    }
    Report report = new Report(System.out, json ? Form.JSON : Form.TABLE);
    Scale scale = quick ? Scale.quick() : Scale.full();
    Path place = Files.createTempDirectory(directory, "tidemark-bench");
    // Also when it is stopped by Ctrl-C.
    Thread cleaner = new Thread(() -> delete(place), "tidemark-bench-cleaner");
    Runtime.getRuntime().addShutdownHook(cleaner);
    new DirectoryBench(place, scale, report).run();
    new S3Bench(scale, report).run();
    return verdict(report.missed());
  }

  private int verdict(List<String> missed) {
    if (missed.isEmpty() || quick) {
      return ExitCode.OK;
    }
    System.err.println("goals missed: " + String.join("; ", missed));
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
