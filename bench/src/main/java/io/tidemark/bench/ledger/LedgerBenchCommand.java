// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.measure.BenchOptions;
import io.tidemark.bench.measure.BenchParts;
import io.tidemark.bench.measure.Report;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark bench ledger}. */
@Command(
    name = "ledger",
    description = {
      "Measures commits to a ledger, in a directory and on S3, at several distances",
      "from the store, beside appends of Apache Iceberg's Java library. A ratio of 3",
      "is three times as many commits in the same time. Also how long a commit takes",
      "to be visible beside the least it can take, what a long history costs",
      "(history), and loads of a million rows beside DuckDB's COPY (bulk).",
      "Takes several minutes. Ends with exit code 1 when a goal is missed."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark bench ledger",
      "  tidemark bench ledger --only directory,bulk --directory /mnt/ssd",
      "  tidemark bench ledger --quick --json"
    })
public final class LedgerBenchCommand implements Callable<Integer> {

  /** What can be measured alone. */
  enum Part {
    DIRECTORY,
    S3,
    HISTORY,
    BULK
  }

  @Mixin private final BenchParts<Part> benchParts = new BenchParts<>(Part.class);

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws Exception {
    Path place = options.temporaryPlace();
    Report report = options.report();
    LedgerScale scale = options.quick() ? LedgerScale.quick() : LedgerScale.full();
    for (Part part : benchParts.chosen()) {
      switch (part) {
        case DIRECTORY -> new CommitComparison(scale, report).inDirectory(place);
        case S3 -> new CommitComparison(scale, report).onS3();
        case HISTORY -> new HistoryGrowth(place, scale, report).run();
        case BULK -> new LedgerBulkLoad(place, scale, report).run();
      }
    }
    return options.verdict(report);
  }
}
