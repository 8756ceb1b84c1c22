// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import io.tidemark.bench.Report.Form;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code tidemark bench}: has a class path of its own, since it needs the peers it compares with.
 */
@Command(
    name = "tidemark bench",
    mixinStandardHelpOptions = true,
    description = "Measures Tidemark beside its peers, in the same run, and prints the ratios.",
    subcommands = Bench.Objects.class,
    footer = {
      "",
      "Examples:",
      "  tidemark bench objects",
      "  tidemark bench objects --quick --json"
    })
final class Bench {

  private Bench() {}

  public static void main(String[] arguments) {
    CommandLine command = new CommandLine(new Bench());
    command.setExecutionExceptionHandler(
        (e, failed, parsed) -> {
          if (!(e instanceof TidemarkException)) {
            throw e;
          }
          failed.getErr().println("tidemark bench: " + e.getMessage());
          return CommandLine.ExitCode.SOFTWARE;
        });
    System.exit(command.execute(arguments.length == 0 ? new String[] {"--help"} : arguments));
  }

  @Command(
      name = "objects",
      mixinStandardHelpOptions = true,
      description = "The object stores beside bare file operations and the bare S3 client.")
  static final class Objects implements Callable<Integer> {

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
      Report report = new Report(System.out, json ? Form.JSON : Form.TABLE);
      Scale scale = quick ? Scale.quick() : Scale.full();
      Path place = Files.createTempDirectory(directory, "tidemark-bench");
      try {
        new DirectoryBench(place, scale, report).run();
      } finally {
        delete(place);
      }
      List<String> missed = report.missed();
      if (!missed.isEmpty() && !quick) {
        System.err.println("goals missed: " + String.join("; ", missed));
        return CommandLine.ExitCode.SOFTWARE;
      }
      return CommandLine.ExitCode.OK;
    }

    private static void delete(Path place) throws IOException {
      try (Stream<Path> files = Files.walk(place)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
