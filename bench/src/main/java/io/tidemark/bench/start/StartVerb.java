// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.start;

import io.tidemark.bench.BenchOptions;
import io.tidemark.bench.Report;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark bench start}. */
@Command(
    name = "start",
    description = {
      "Measures how long the command takes from start to end, beside a bare JVM that",
      "prints one line: the launcher with a JVM that does nothing, '--version', 'list'",
      "and 'query' of a store with one row. Medians of 30 starts, by the clock.",
      "Takes about a minute. Ends with exit code 1 when a goal is missed."
    },
    footer = {"", "Examples:", "  tidemark bench start", "  tidemark bench start --quick --json"})
public final class StartVerb implements Callable<Integer> {

  private static final int ROUNDS = 30;

  @Spec private CommandSpec spec;
  @Mixin private BenchOptions options;

  @Option(
      names = "--launcher",
      paramLabel = "FILE",
      description = "The command to start. Default: ./tidemark of this source tree.")
  private @Nullable Path launcher;

  @Override
  public Integer call() throws Exception {
    Report report = options.report();
    new StartTimes(command(), options.temporaryPlace(), options.quick() ? 1 : ROUNDS, report).run();
    return options.verdict(report);
  }

  private Path command() throws URISyntaxException {
    if (launcher != null) {
      return launcher.toAbsolutePath();
    }
    Path here =
        Path.of(StartVerb.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    for (Path at = here.getParent(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("pom.xml")) && Files.isExecutable(at.resolve("tidemark"))) {
        return at.resolve("tidemark");
      }
    }
    throw new ParameterException(
        spec.commandLine(), "there is no ./tidemark above " + here + "; name one by --launcher");
  }
}
