// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.BenchOptions;
import io.tidemark.bench.PartConverter;
import io.tidemark.bench.Report;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark bench query}. */
@Command(
    name = "query",
    description = {
      "Measures queries of a ledger of 1,000 commits of 50 rows (small) and of one of",
      "ten million rows (large), beside bare DuckDB on one Parquet file that holds",
      "exactly the rows in question (the floor), and the small one beside the same",
      "rows in a table of Apache Iceberg's. Ratios are of times: 0.5 is half as long.",
      "Takes several minutes, and for the large one 6 GB of disk.",
      "Ends with exit code 1 when a goal is missed."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark bench query --only small",
      "  tidemark bench query --quick --json"
    })
public final class QueryVerb implements Callable<Integer> {

  /** What can be measured alone. */
  enum Part {
    SMALL,
    LARGE
  }

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      converter = Words.class,
      description = "Only some of: small, large.")
  private Set<Part> only = EnumSet.allOf(Part.class);

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws Exception {
    Path place = options.temporaryPlace();
    Report report = options.report();
    QueryScale scale = options.quick() ? QueryScale.quick() : QueryScale.full();
    for (Part part : EnumSet.copyOf(only)) {
      switch (part) {
        case SMALL -> new ManySmallCommits(place, scale, report).run();
        case LARGE -> new VeryManyRows(place, scale, report).run();
      }
    }
    return options.verdict(report);
  }

  /** For {@link Part}. */
  static final class Words extends PartConverter<Part> {
    Words() {
      super(Part.class);
    }
  }
}
