// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.measure.BenchOptions;
import io.tidemark.bench.measure.BenchParts;
import io.tidemark.bench.measure.LauncherOption;
import io.tidemark.bench.measure.Report;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark bench features}. */
@Command(
    name = "features",
    description = {
      "Measures features in PostgreSQL. Writes beside the bare statements on the",
      "same tables without triggers and history (bare), and beside statements that",
      "write the same history by hand (floor), by the CPU time of the server and by",
      "the clock, in sixteen leaves (leaves) and in one table (table). Reads with a",
      "million features and a year of history (reads). Files loaded into a new",
      "collection beside COPY of the same rows and the same keys (load), and the same",
      "by processes of the command that follow each other (cold).",
      "Takes a few minutes a part. Ends with exit code 1 when a goal is missed."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark bench features",
      "  tidemark bench features --only table --directory /mnt/ssd",
      "  tidemark bench features --quick --json"
    })
public final class FeaturesBenchCommand implements Callable<Integer> {

  /** What can be measured alone. */
  enum Part {
    LEAVES,
    TABLE,
    READS,
    LOAD,
    COLD
  }

  @Mixin private final BenchParts<Part> benchParts = new BenchParts<>(Part.class);

  @Mixin private BenchOptions options;

  @Mixin private LauncherOption launcherOption;

  @Override
  public Integer call() throws Exception {
    Path place = options.directory();
    Report report = options.report();
    FeaturesScale scale = options.quick() ? FeaturesScale.quick() : FeaturesScale.full();
    for (Part part : benchParts.chosen()) {
      switch (part) {
        case LEAVES -> new WriteCosts(place, CollectionShape.LEAVES, scale, report).run();
        case TABLE -> new WriteCosts(place, CollectionShape.TABLE, scale, report).run();
        case READS -> new ReadTimes(place, scale, report).run();
        case LOAD ->
            new FeatureBulkLoad(place, scale.loaded(), report).run(Math.min(3, scale.rounds()), 2);
        case COLD ->
            new ColdLoad(launcherOption.command(), place, scale.loadedCold(), report)
                .run(Math.min(6, 2 * scale.rounds()));
      }
    }
    return options.verdict(report);
  }
}
