// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.GarbageReport;
import io.tidemark.api.ledger.GarbageReport.OrphanedFiles;
import io.tidemark.api.ledger.GarbageReport.Snapshot;
import io.tidemark.api.ledger.GarbageRequest;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.time.AgeConverter;
import io.tidemark.ledger.OrphanCollector;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.objects.UtcTimestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark gc LEDGER}. */
@Command(
    description =
        "Lists garbage, and deletes it with --apply: files of writers that died or lost a race,"
            + " commits that only a dropped branch had, files of types that were dropped with"
            + " their history, and snapshots that compaction has put into larger ones. Commits"
            + " that a branch has are never deleted.",
    footer = {"", "Examples:", "  tidemark gc crm", "  tidemark gc crm --min-age 7d --apply"})
public final class GcCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private LedgerMixin options;

  @Option(
      names = "--min-age",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "Minimum age of what is deleted: 90s, 30m, 24h, 7d, 2w. Default: 24h")
  private Duration minAge = OrphanCollector.SAFE_AGE;

  @Option(names = "--apply", description = "Delete; without it, only say what would be done.")
  private boolean apply;

  @Override
  public Integer call() {
    Duration lease = WriterSettings.standard().leaseTtl();
    if (minAge.compareTo(lease) < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--min-age must be at least "
              + lease.toSeconds()
              + "s: what is younger may be of a writer that is at work");
    }
    return options.write(ledger -> collect(ledger.maintenance()));
  }

  private int collect(LedgerMaintenance maintenance) {
    GarbageRequest request = new GarbageRequest(OptionalLong.of(minAge.toSeconds()), apply);
    GarbageReport report =
        options.withProgress(
            "looking for garbage",
            progress ->
                maintenance.collectGarbage(
                    request,
                    now ->
                        progress.accept(
                            now.done() + " of " + now.total().orElse(0L) + " deleted")));
    options.print(WireJson.tree(report), text(report.leftovers(), report.snapshots()));
    return ExitCodes.OK;
  }

  private String text(List<OrphanedFiles> found, List<Snapshot> snapshots) {
    if (found.isEmpty() && snapshots.isEmpty()) {
      return "nothing is left over";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("WHAT", "OBJECTS", "BYTES", "SINCE"));
    for (OrphanedFiles each : found) {
      rows.add(
          List.of(
              each.directory(),
              Integer.toString(each.objects()),
              Long.toString(each.bytes()),
              UtcTimestamp.format(each.newest())));
    }
    for (Snapshot each : snapshots) {
      rows.add(
          List.of(
              each.path(), "1", Long.toString(each.bytes()), UtcTimestamp.format(each.since())));
    }
    return Table.aligned(rows)
        + System.lineSeparator()
        + System.lineSeparator()
        + (apply ? "deleted" : "nothing was deleted, run it with --apply");
  }
}
