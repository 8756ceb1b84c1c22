// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.cli.terminal.Table;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.compact.Compaction;
import io.tidemark.ledger.compact.Extent;
import io.tidemark.ledger.compact.Merge;
import io.tidemark.ledger.compact.Outcome;
import io.tidemark.ledger.compact.Plan;
import io.tidemark.ledger.view.CareJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark compact LEDGER}. */
@Command(
    description =
        "Puts the rows of many commits into few files, so that queries open fewer of them. Every"
            + " version of every row stays, and every query answers as before. Files of about the"
            + " same size are merged; writers aren't disturbed. Without --apply it only says what"
            + " it would do.",
    footer = {
      "",
      "What was merged stays until 'tidemark gc' finds it unused for a day.",
      "",
      "Exit code 6: others compacted or dropped a type meanwhile; the rest is done.",
      "",
      "Examples:",
      "  tidemark compact crm                            What would be merged",
      "  tidemark compact crm --apply",
      "  tidemark compact crm --type Customer --all --apply"
    })
public final class CompactVerb implements Callable<Integer> {

  @Mixin private LedgerChoice options;

  @Option(names = "--type", paramLabel = "TYPE", description = "Only the files of this type.")
  private @Nullable String type;

  @Option(names = "--all", description = "All files of a type into one, however large they are.")
  private boolean all;

  @Option(names = "--apply", description = "Compact; without it, only say what would be done.")
  private boolean apply;

  @Override
  public Integer call() {
    return options.with(this::compact);
  }

  private int compact(Ledger ledger) {
    Compaction compaction = ledger.compaction();
    Extent extent = all ? Extent.ALL : Extent.TIERS;
    Plan plan =
        type == null
            ? compaction.plan(extent)
            : compaction.plan(
                extent, List.of(TypeName.resolve(type, ledger.schemas().current().keySet())));
    List<Outcome> outcomes = apply ? run(compaction, plan) : List.of();
    List<Merge> overtaken = CareJson.overtaken(outcomes);
    ObjectNode json =
        apply
            ? CareJson.compacted(plan.merges(), outcomes)
            : CareJson.plannedCompaction(plan.merges());
    options.print(json, text(plan, overtaken));
    return overtaken.isEmpty() ? ExitCodes.OK : ExitCodes.CONFLICT;
  }

  private List<Outcome> run(Compaction compaction, Plan plan) {
    Progress progress = options.progress();
    try {
      return compaction.run(
          plan,
          (merge, rows) ->
              progress.at(
                  merge.type() + ": " + rows + " of " + ShownRow.rows(merge.rows()) + " merged"));
    } finally {
      progress.end();
    }
  }

  private String text(Plan plan, List<Merge> overtaken) {
    if (plan.merges().isEmpty()) {
      return "nothing to compact";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TYPE", "FILES", "COMMITS", "ROWS"));
    for (Merge merge : plan.merges()) {
      rows.add(
          List.of(
              merge.type().toString(),
              Integer.toString(merge.entryCount()),
              merge.minCommitId() + " to " + merge.maxCommitId(),
              Long.toString(merge.rows())));
    }
    String line = System.lineSeparator();
    return Table.aligned(rows) + line + line + verdict(overtaken);
  }

  private String verdict(List<Merge> overtaken) {
    if (!apply) {
      return "nothing was written, run it with --apply";
    }
    return overtaken.isEmpty()
        ? "compacted"
        : "compacted, but for files of "
            + overtaken.stream().map(Merge::type).distinct().toList()
            + " that others compacted or dropped meanwhile; run it again if need be";
  }
}
