// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.time.AgeConverter;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Leftovers;
import io.tidemark.ledger.Leftovers.Leftover;
import io.tidemark.ledger.compact.Superseded.Old;
import io.tidemark.ledger.view.CareJson;
import io.tidemark.objects.UtcTimestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
public final class GcVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private LedgerChoice options;

  @Option(
      names = "--min-age",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "Minimum age of what is deleted: 90s, 30m, 24h, 7d, 2w. Default: 24h")
  private Duration minAge = Leftovers.SAFE_AGE;

  @Option(names = "--apply", description = "Delete; without it, only say what would be done.")
  private boolean apply;

  @Override
  public Integer call() {
    Duration lease = LedgerChoice.settings().writer().leaseTtl();
    if (minAge.compareTo(lease) < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--min-age must be at least "
              + lease.toSeconds()
              + "s: what is younger may be of a writer that is at work");
    }
    return options.with(this::collect);
  }

  private int collect(Ledger ledger) {
    List<Leftover> found =
        options.awaited("looking for commits", () -> ledger.leftovers().find(minAge));
    List<Old> snapshots =
        options.awaited("looking for snapshots", () -> ledger.superseded().find(minAge));
    if (apply) {
      delete(ledger, found, snapshots);
    }
    ObjectNode json = CareJson.leftovers(minAge, found, snapshots).put("applied", apply);
    options.print(json, text(found, snapshots));
    return ExitCodes.OK;
  }

  private void delete(Ledger ledger, List<Leftover> found, List<Old> snapshots) {
    Progress progress = options.progress();
    int all = found.size() + snapshots.size();
    int done = 0;
    Leftovers leftovers = ledger.leftovers();
    try {
      for (Leftover each : found) {
        leftovers.delete(each);
        progress.at(++done + " of " + all + " deleted");
      }
      for (Old each : snapshots) {
        ledger.superseded().delete(each);
        progress.at(++done + " of " + all + " deleted");
      }
    } finally {
      progress.end();
    }
  }

  private String text(List<Leftover> found, List<Old> snapshots) {
    if (found.isEmpty() && snapshots.isEmpty()) {
      return "nothing is left over";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("WHAT", "OBJECTS", "BYTES", "SINCE"));
    for (Leftover each : found) {
      rows.add(
          List.of(
              each.directory(),
              Integer.toString(each.objects()),
              Long.toString(each.bytes()),
              UtcTimestamp.format(each.newest())));
    }
    for (Old each : snapshots) {
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
