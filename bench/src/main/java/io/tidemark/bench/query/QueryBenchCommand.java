// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.measure.BenchOptions;
import io.tidemark.bench.measure.BenchParts;
import io.tidemark.bench.measure.Report;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark bench query}. */
@Command(
    name = "query",
    description = {
      "Measures queries of a ledger of 1,000 commits of 50 rows (small) and of one of",
      "ten million rows (large), beside bare DuckDB on one Parquet file that holds",
      "exactly the rows in question (the floor), and the small one beside the same",
      "rows in a table of Apache Iceberg's; and SQL in processes with hard limits (sql)",
      "beside SQL in this process. Ratios are of times: 0.5 is half as long.",
      "Takes several minutes, and for the large one 6 GB of disk.",
      "Ends with exit code 1 when a goal is missed."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark bench query --only small",
      "  tidemark bench query --quick --json"
    })
public final class QueryBenchCommand implements Callable<Integer> {

  /** What can be measured alone. */
  enum Part {
    SMALL,
    LARGE,
    SQL
  }

  @Mixin private final BenchParts<Part> benchParts = new BenchParts<>(Part.class);

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws Exception {
    Path place = options.temporaryPlace();
    Report report = options.report();
    QueryScale scale = options.quick() ? QueryScale.quick() : QueryScale.full();
    for (Part part : benchParts.chosen()) {
      switch (part) {
        case SMALL -> new ManySmallCommits(place, scale, report).run();
        case LARGE -> new VeryManyRows(place, scale, report).run();
        case SQL -> new SqlIsolation(place, scale, report).run();
      }
    }
    return options.verdict(report);
  }
}
