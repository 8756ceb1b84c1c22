// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.measure.BenchOptions;
import io.tidemark.bench.measure.BenchParts;
import io.tidemark.bench.measure.Report;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark bench events}. */
@Command(
    name = "events",
    description = {
      "Measures how many events a second are published, claimed and acknowledged by",
      "1 and 8 workers: in a directory beside the bare writes that this takes and",
      "beside a SKIP LOCKED queue in PostgreSQL, on S3 beside the bare writes. A",
      "ratio of 2 is twice as many in the same time. Also what looking for work",
      "costs when there is none (idle).",
      "Takes a few minutes. Ends with exit code 1 when a goal is missed."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark bench events",
      "  tidemark bench events --only directory --directory /mnt/ssd",
      "  tidemark bench events --quick --json"
    })
public final class EventsBenchCommand implements Callable<Integer> {

  /** What can be measured alone. */
  enum Part {
    DIRECTORY,
    S3,
    IDLE
  }

  @Mixin private final BenchParts<Part> benchParts = new BenchParts<>(Part.class);

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws Exception {
    Path place = options.temporaryPlace();
    Report report = options.report();
    EventsScale scale = options.quick() ? EventsScale.quick() : EventsScale.full();
    for (Part part : benchParts.chosen()) {
      switch (part) {
        case DIRECTORY ->
            new EndToEndThroughput(scale, report).inDirectory(place, options.directory());
        case S3 -> new EndToEndThroughput(scale, report).onS3();
        case IDLE -> new IdleCost(place, scale, report).run();
      }
    }
    return options.verdict(report);
  }
}
