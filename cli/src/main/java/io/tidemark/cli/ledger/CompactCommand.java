// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ProgressListener;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CompactionRequest;
import io.tidemark.api.ledger.CompactionResult;
import io.tidemark.api.ledger.CompactionResult.Merge;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
public final class CompactCommand implements Callable<Integer> {

  @Mixin private LedgerMixin options;

  @Option(names = "--type", paramLabel = "TYPE", description = "Only the files of this type.")
  private @Nullable String type;

  @Option(names = "--all", description = "All files of a type into one, however large they are.")
  private boolean all;

  @Option(names = "--apply", description = "Compact; without it, only say what would be done.")
  private boolean apply;

  @Override
  public Integer call() {
    return options.write(ledger -> compact(ledger.maintenance()));
  }

  private int compact(LedgerMaintenance maintenance) {
    CompactionRequest request = new CompactionRequest(Optional.ofNullable(type), all, apply);
    CompactionResult result =
        apply
            ? options.withProgress(
                "compacting",
                progress -> maintenance.compact(request, now -> progress.accept(shown(now))))
            : maintenance.compact(request, ProgressListener.none());
    options.print(json(result), text(result));
    return result.overtaken().isEmpty() ? ExitCodes.OK : ExitCodes.CONFLICT;
  }

  private static String shown(io.tidemark.api.Progress now) {
    return now.subject()
        + ": "
        + now.done()
        + " of "
        + LedgerFormatter.rows(now.total().orElse(0L))
        + " merged";
  }

  /** Returns the result without the numbers of rows, which only the table has. */
  private static JsonNode json(CompactionResult result) {
    JsonNode json = WireJson.tree(result);
    for (String list : List.of("planned", "overtaken")) {
      json.path(list).forEach(merge -> ((ObjectNode) merge).remove("rows"));
    }
    return json;
  }

  private String text(CompactionResult result) {
    if (result.planned().isEmpty()) {
      return "nothing to compact";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TYPE", "FILES", "COMMITS", "ROWS"));
    for (Merge merge : result.planned()) {
      rows.add(
          List.of(
              merge.type(),
              Integer.toString(merge.entryCount()),
              merge.minCommitId() + " to " + merge.maxCommitId(),
              Long.toString(merge.rows())));
    }
    String line = System.lineSeparator();
    return Table.aligned(rows) + line + line + verdict(result.overtaken());
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
