// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.BenchOptions;
import io.tidemark.bench.measure.BenchParts;
import io.tidemark.bench.measure.Report;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark bench names}. */
@Command(
    name = "names",
    description = {
      "Measures how fast names move: in memory beside Nessie's storage, in a",
      "directory beside bare file operations and PostgreSQL, on DynamoDB and S3",
      "beside the bare clients. A ratio of 2 is twice as many moves in the same",
      "time. Also what many records cost (many), and whether 16 writers who all",
      "want to move one record are served alike (hot).",
      "Takes a few minutes. Ends with exit code 1 when a goal is missed."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark bench names",
      "  tidemark bench names --only directory --directory /mnt/ssd",
      "  tidemark bench names --quick --json"
    })
public final class NamesBenchCommand implements Callable<Integer> {

  /** What can be measured alone. */
  enum Part {
    MEMORY,
    DIRECTORY,
    DYNAMODB,
    S3,
    MANY,
    HOT
  }

  @Mixin private final BenchParts<Part> benchParts = new BenchParts<>(Part.class);

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws Exception {
    Path place = options.temporaryPlace();
    Report report = options.report();
    NamesBenchScale scale = options.quick() ? NamesBenchScale.quick() : NamesBenchScale.full();
    for (Part part : benchParts.chosen()) {
      switch (part) {
        case MEMORY -> new MemoryComparison(scale, report).run();
        case DIRECTORY -> new DirectoryComparison(place, options.directory(), scale, report).run();
        case DYNAMODB -> new DynamoDbComparison(scale, report).run();
        case S3 -> new S3Comparison(scale, report).run();
        case MANY -> new ManyRecords(place, scale, report).run();
        case HOT -> new HotRecord(place, scale, report).run();
      }
    }
    return options.verdict(report);
  }
}
