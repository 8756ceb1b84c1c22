// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.ledger.Contents;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInfo;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.SchemaVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        "Says where a ledger is, its newest commit, and whether its indices and its name have followed.",
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
    options.print(json(info, counts, schemas), text(info, counts, schemas));
    return ExitCodes.OK;
  }

  private static SortedMap<TypeId, Long> counts(Contents contents) {
    SortedMap<TypeId, Long> counts = new TreeMap<>();
    contents.types().forEach(type -> counts.put(type, contents.count(type)));
    return counts;
  }

  /** Keys that weren't asked for are there too, as null. */
  private ObjectNode json(
      LedgerInfo info, Map<TypeId, Long> counts, Map<TypeId, SchemaVersion> schemas) {
    ObjectNode json =
        ShownRow.object()
            .put("ledger", options.name())
            .put("head_commit_id", info.head().orElse(null))
            .put("storage_uri", info.location())
            .put("engine_version", info.engineVersion())
            .put("initialized", true)
            .put("last_index_warning", info.indexWarning().orElse(null));
    json.set("misnamed_commit_id", ShownRow.orNull(info.misnamed()));
    Map<TypeId, JsonNode> numbers = new TreeMap<>();
    counts.forEach((type, count) -> numbers.put(type, LongNode.valueOf(count)));
    Map<TypeId, JsonNode> stored = new TreeMap<>();
    schemas.forEach((type, version) -> stored.put(type, ShownRow.parsed(version.schemaJson())));
    for (Kind kind : Kind.values()) {
      json.set(kind.singular() + "_counts", stats ? ofKind(kind, numbers) : null);
    }
    for (Kind kind : Kind.values()) {
      json.set(kind.singular() + "_schemas", schema ? ofKind(kind, stored) : null);
    }
    return json;
  }

  private static ObjectNode ofKind(Kind kind, Map<TypeId, JsonNode> values) {
    ObjectNode json = ShownRow.object();
    values.forEach(
        (type, value) -> {
          if (type.kind() == kind) {
            json.set(type.name(), value);
          }
        });
    return json;
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
