// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.node.NullNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.InfoRequest;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.LedgerSummary;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark ledger info NAME}. */
@Command(
    name = "info",
    description =
        "Says where a ledger is, its newest commit, and whether its indices and its name have"
            + " followed.",
    footer = {
      "",
      "Examples:",
      "  tidemark ledger info crm",
      "  tidemark ledger info crm --stats            And how many rows there are",
      "  tidemark ledger info crm --schema --json    And the schemas"
    })
final class InfoCommand implements Callable<Integer> {

  @Mixin private LedgerMixin options;

  @Option(names = "--stats", description = "Count the rows of each type, which reads them.")
  private boolean stats;

  @Option(names = "--schema", description = "Tell the schema of each type.")
  private boolean schema;

  @Override
  public Integer call() {
    return options.read(this::show);
  }

  private int show(LedgerService ledger) {
    if (options.json()) {
      options.print(WireJson.tree(ledger.info(new InfoRequest(stats, schema))), "");
    } else {
      LedgerSummary info = ledger.info(new InfoRequest(stats, false));
      List<TypeVersion> types = schema ? ledger.types().list() : List.of();
      options.print(NullNode.instance, text(info, types));
    }
    return ExitCodes.OK;
  }

  private static String text(LedgerSummary info, List<TypeVersion> types) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ledger", info.ledger()));
    rows.add(List.of("objects", info.storageUri()));
    rows.add(List.of("engine", info.engineVersion()));
    rows.add(List.of("head", info.headCommitId().map(String::valueOf).orElse("none")));
    rows.add(List.of("indices", info.lastIndexWarning().orElse("complete")));
    long head = info.headCommitId().orElse(0L);
    info.misnamedCommitId()
        .ifPresent(said -> rows.add(List.of("name", LedgerFormatter.misnamed(said, head))));
    count("entity", info.entityCounts(), rows);
    count("relation", info.relationCounts(), rows);
    for (TypeVersion type : types) {
      rows.add(
          List.of(
              "schema",
              LedgerFormatter.type(type.typeKind(), type.typeName())
                  + " v"
                  + type.schemaVersionId()
                  + " "
                  + type.schemaHash()));
    }
    return Table.aligned(rows);
  }

  private static void count(
      String kind, Optional<Map<String, Long>> counts, List<List<String>> rows) {
    counts.ifPresent(
        all ->
            all.forEach(
                (name, count) ->
                    rows.add(List.of("rows", LedgerFormatter.type(kind, name) + " " + count))));
  }
}
