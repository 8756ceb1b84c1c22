// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.ledger.Contents;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInfo;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.SchemaVersion;
import io.tidemark.ledger.view.InfoJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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
final class InfoVerb implements Callable<Integer> {

  @Mixin private LedgerChoice options;

  @Option(names = "--stats", description = "Count the rows of each type, which reads them.")
  private boolean stats;

  @Option(names = "--schema", description = "Tell the schema of each type.")
  private boolean schema;

  @Override
  public Integer call() {
    return options.with(this::show);
  }

  private int show(Ledger ledger) {
    LedgerInfo info = ledger.info();
    SortedMap<TypeId, Long> counts = stats ? counts(ledger.contents()) : new TreeMap<>();
    Map<TypeId, SchemaVersion> schemas = schema ? ledger.schemas().current() : Map.of();
    options.print(
        InfoJson.info(
            options.name(),
            info,
            stats ? Optional.of(counts) : Optional.empty(),
            schema ? Optional.of(schemas) : Optional.empty()),
        text(info, counts, schemas));
    return ExitCodes.OK;
  }

  private static SortedMap<TypeId, Long> counts(Contents contents) {
    SortedMap<TypeId, Long> counts = new TreeMap<>();
    contents.types().forEach(type -> counts.put(type, contents.count(type)));
    return counts;
  }

  private String text(
      LedgerInfo info, Map<TypeId, Long> counts, Map<TypeId, SchemaVersion> schemas) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ledger", options.name()));
    rows.add(List.of("objects", info.location()));
    rows.add(List.of("engine", info.engineVersion()));
    rows.add(List.of("head", info.head().map(String::valueOf).orElse("none")));
    rows.add(List.of("indices", info.indexWarning().orElse("complete")));
    long head = info.head().orElse(0L);
    info.misnamed().ifPresent(said -> rows.add(List.of("name", ShownRow.misnamed(said, head))));
    counts.forEach((type, count) -> rows.add(List.of("rows", type + " " + count)));
    schemas.forEach(
        (type, version) ->
            rows.add(List.of("schema", type + " v" + version.id() + " " + version.hash())));
    return Table.aligned(rows);
  }
}
