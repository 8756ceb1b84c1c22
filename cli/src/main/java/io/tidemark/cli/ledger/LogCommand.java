// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.node.NullNode;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.CommitsRequest;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.objects.UtcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark log LEDGER}. */
@Command(
    description = "Lists commits, the newest first.",
    footer = {
      "",
      "Examples:",
      "  tidemark log crm",
      "  tidemark log crm --since 17 --last 100",
      "  tidemark log crm --meta ticket=42 --json    The last ten of that ticket"
    })
public final class LogCommand implements Callable<Integer> {

  private static final int PAGE = 1000;

  @Spec private CommandSpec spec;
  @Mixin private LedgerMixin options;

  @Option(names = "--last", paramLabel = "N", description = "At most so many. Default: 10")
  private long last = 10;

  @Option(names = "--since", paramLabel = "ID", description = "Only those after this one.")
  private long since;

  @Option(
      names = "--meta",
      paramLabel = "K=V",
      description = "Only those with this in their metadata.")
  private Map<String, String> meta = Map.of();

  @Override
  public Integer call() {
    if (last < 0 || since < 0) {
      throw new ParameterException(spec.commandLine(), "--last and --since can't be negative");
    }
    return options.read(this::show);
  }

  private int show(LedgerService ledger) {
    List<CommitSummary> commits = new ArrayList<>();
    int page = (int) Math.max(1, Math.min(PAGE, last));
    Optional<String> cursor = Optional.empty();
    do {
      Page<CommitSummary> found =
          ledger.commits().list(new CommitsRequest(since, meta, page, cursor));
      commits.addAll(found.items());
      cursor = found.next();
    } while (cursor.isPresent() && commits.size() < last);
    List<CommitSummary> shown = commits.subList(0, (int) Math.min(last, commits.size()));
    if (options.json()) {
      options.print(WireJson.tree(shown), "");
    } else {
      options.print(NullNode.instance, shown.isEmpty() ? "no commits" : table(shown));
    }
    return ExitCodes.OK;
  }

  private static String table(List<CommitSummary> commits) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("COMMIT", "TIME", "ROWS", "METADATA"));
    for (CommitSummary commit : commits) {
      rows.add(
          List.of(
              Long.toString(commit.commitId()),
              UtcTimestamp.format(commit.timestamp()),
              Long.toString(commit.operations()),
              commit.meta().toString()));
    }
    return Table.aligned(rows);
  }
}
