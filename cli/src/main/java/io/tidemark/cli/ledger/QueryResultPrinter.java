// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerRow;
import io.tidemark.api.ledger.QueryExplanation;
import io.tidemark.api.ledger.QueryExplanation.QueryFile;
import io.tidemark.api.ledger.QueryExplanation.QueryWork;
import io.tidemark.api.ledger.RowPage;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.terminal.TerminalEscaping;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Printer of query results, as text in columns or as JSON. */
record QueryResultPrinter(LedgerMixin options) {

  void count(long rows) {
    options.print(JsonNodeFactory.instance.objectNode().put("count", rows), Long.toString(rows));
  }

  /** Returns the type that a schema declares, such as {@code entity:Customer}. */
  static String type(JsonNode schema) {
    String kind = schema.has("entity") ? "entity" : "relation";
    return LedgerFormatter.type(kind, schema.path(kind).asText());
  }

  /**
   * Prints the rows, and for programs the hint why there may be none.
   *
   * @param pinned options before that of the next page, which keep it at the commit of this one
   */
  void page(RowPage page, @Nullable String hint, String pinned) {
    if (options.json()) {
      ObjectNode json =
          (ObjectNode)
              WireJson.tree(
                  new RowPage(
                      page.commitId(), page.rows(), page.next(), Optional.empty(), List.of()));
      options.print(hint == null ? json : json.put("hint", hint), "");
      return;
    }
    String text =
        page.rows().isEmpty() || page.schema().isEmpty()
            ? "no rows"
            : table(page, page.schema().get());
    options.print(
        NullNode.instance,
        text
            + page.next()
                .map(next -> System.lineSeparator() + "more with " + pinned + "--after " + next)
                .orElse(""));
  }

  private static String table(RowPage page, JsonNode schema) {
    boolean relation = schema.has("relation");
    boolean ends =
        page.rows().stream().anyMatch(row -> row.left().isPresent() || row.right().isPresent());
    Optional<String> instance = Optional.ofNullable(schema.path("instanceKey").textValue());
    List<String> fields = new ArrayList<>();
    schema.path("fields").fieldNames().forEachRemaining(fields::add);
    // An entity's key and a relation's instance key are what a row begins with already.
    fields.remove(schema.path("key").asText());
    instance.ifPresent(fields::remove);
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(relation ? List.of("LEFT", "RIGHT") : List.of("KEY"));
    instance.ifPresent(name -> head.add(name.toUpperCase(Locale.ROOT)));
    head.add("COMMIT");
    fields.forEach(name -> head.add(name.toUpperCase(Locale.ROOT)));
    if (ends) {
      head.addAll(List.of("LEFT END", "RIGHT END"));
    }
    lines.add(head);
    for (LedgerRow row : page.rows()) {
      List<String> line = new ArrayList<>();
      if (relation) {
        line.add(shown(row.leftKey().orElse("")));
        line.add(shown(row.rightKey().orElse("")));
        instance.ifPresent(name -> line.add(shown(row.instanceKey().orElse(""))));
      } else {
        line.add(shown(row.key().orElse("")));
      }
      line.add(Long.toString(row.commitId()));
      fields.forEach(name -> line.add(shown(row.fields().path(name))));
      if (ends) {
        line.add(row.left().map(JsonNode::toString).orElse("-"));
        line.add(row.right().map(JsonNode::toString).orElse("-"));
      }
      lines.add(line);
    }
    return Table.aligned(lines);
  }

  private static String shown(JsonNode value) {
    if (value.isNull() || value.isMissingNode()) {
      return "-";
    }
    if (value.isTextual()) {
      return shown(value.textValue());
    }
    // Only nested values take the mapper of Jackson, whose start takes longer than a row.
    return value.isContainerNode() ? value.toString() : value.asText();
  }

  /** Escapes a text to fit on one line. */
  private static String shown(String text) {
    return TerminalEscaping.escapeLine(text);
  }

  void explanation(QueryExplanation explained) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("COMMITS", "BYTES", "FETCHED", "FILE"));
    for (QueryFile file : explained.files()) {
      lines.add(
          List.of(
              file.minCommitId() + ".." + file.maxCommitId(),
              Long.toString(file.bytes()),
              Long.toString(file.fetched()),
              file.path()));
    }
    String newline = System.lineSeparator();
    options.print(
        options.json() ? WireJson.tree(explained) : NullNode.instance,
        String.join(
            newline,
            "commits "
                + (explained.since() + 1)
                + " to "
                + explained.asOf()
                + " of "
                + explained.headCommitId(),
            "where " + explained.filter(),
            explained.schemaVersions().isEmpty()
                ? "rows are of one version of the schema"
                : explained.schemaVersions().stream()
                    .map(Object::toString)
                    .collect(Collectors.joining(newline)),
            "by " + explained.engine(),
            Plural.of(explained.files().size(), "file")
                + " of "
                + Plural.of(explained.bytes(), "byte"),
            explained.work().map(QueryResultPrinter::text).orElse("nothing is counted"),
            Table.aligned(lines),
            "",
            explained.sql(),
            "",
            explained.steps()));
  }

  private static String text(QueryWork work) {
    return "read %d of %d row groups, %d bytes; took %d bytes of memory and %d of the disk"
        .formatted(
            work.rowGroupsRead(),
            work.rowGroups(),
            work.bytesRead(),
            work.memory(),
            work.spilled());
  }
}
