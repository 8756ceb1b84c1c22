// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.server;

import io.tidemark.bench.measure.BenchOptions;
import io.tidemark.bench.measure.BenchParts;
import io.tidemark.bench.measure.Report;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark bench server}. */
@Command(
    name = "server",
    description = {
      "Measures a server on a directory, over loopback and with its callers in the same",
      "process: look-ups and pushes by 1, 8 and 64 connections, small commits and queries,",
      "beside a bare server that answers the same bytes, beside Nessie's REST resources on",
      "its storage in memory, and beside the same call in the process. Then 1,000 watchers",
      "who are told of 100 moves a second.",
      "Takes a few minutes. Ends with exit code 1 when a goal is missed."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark bench server",
      "  tidemark bench server --only watchers",
      "  tidemark bench server --quick --json"
    })
public final class ServerBenchCommand implements Callable<Integer> {

  /** What can be measured alone. */
  enum Part {
    REQUESTS,
    WATCHERS
  }

  @Mixin private final BenchParts<Part> benchParts = new BenchParts<>(Part.class);

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws Exception {
    Path place = options.temporaryPlace();
    Report report = options.report();
    ServerScale scale = options.quick() ? ServerScale.quick() : ServerScale.full();
    for (Part part : benchParts.chosen()) {
      switch (part) {
        case REQUESTS -> new RequestBench(place, scale, report).run();
        case WATCHERS -> new WatcherBench(place, scale, report).run();
      }
    }
    return options.verdict(report);
  }
}
