// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.start;

import io.tidemark.bench.measure.BenchOptions;
import io.tidemark.bench.measure.LauncherOption;
import io.tidemark.bench.measure.Report;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
public final class StartBenchCommand implements Callable<Integer> {

  private static final int ROUNDS = 30;

  @Mixin private BenchOptions options;
  @Mixin private LauncherOption launcherOption;

  @Override
  public Integer call() throws Exception {
    Report report = options.report();
    new StartTimes(
            launcherOption.command(),
            options.temporaryPlace(),
            options.quick() ? 1 : ROUNDS,
            report)
        .run();
    return options.verdict(report);
  }
}
