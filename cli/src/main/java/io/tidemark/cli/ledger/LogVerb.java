// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.view.CommitJson;
import io.tidemark.objects.UtcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
public final class LogVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private LedgerChoice options;

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
    return options.with(this::show);
  }

  private int show(Ledger ledger) {
    List<Commit> commits;
    try (Stream<Commit> found = ledger.log().newestFirst(since)) {
      commits = found.filter(this::isMeant).limit(last).toList();
    }
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    commits.forEach(commit -> json.add(CommitJson.commit(commit)));
    options.print(json, commits.isEmpty() ? "no commits" : table(commits));
    return ExitCodes.OK;
  }

  private boolean isMeant(Commit commit) {
    return meta.entrySet().stream()
        .allMatch(
            wanted ->
                commit.metadata().path(wanted.getKey()).asText().equals(wanted.getValue())
                    && commit.metadata().has(wanted.getKey()));
  }

  private static String table(List<Commit> commits) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("COMMIT", "TIME", "ROWS", "METADATA"));
    for (Commit commit : commits) {
      rows.add(
          List.of(
              Long.toString(commit.id()),
              UtcTimestamp.format(commit.createdAt()),
              Long.toString(commit.operations()),
              commit.metadata().toString()));
    }
    return Table.aligned(rows);
  }
}
