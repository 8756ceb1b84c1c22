// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.cli.terminal.Table;
import io.tidemark.ledger.Identity;
import io.tidemark.ledger.query.End;
import io.tidemark.ledger.query.Hit;
import io.tidemark.ledger.query.Page;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a query found, as text in columns or as JSON. */
record ShownAnswer(LedgerChoice options, TypeSchema schema) {

  void count(long rows) {
    options.print(ShownRow.object().put("count", rows), Long.toString(rows));
  }

  /** The rows, and for programs why there may be none. */
  void page(Page<ObjectNode> page, @Nullable String hint) {
    ObjectNode json = ShownRow.object().put("commit_id", page.commitId());
    ArrayNode rows = json.putArray("rows");
    if (options.json()) {
      page.hits().forEach(hit -> rows.add(json(hit)));
    }
    json.put("next", page.next().map(Cursor::encoded).orElse(null));
    if (hint != null) {
      json.put("hint", hint);
    }
    String text = options.json() || page.hits().isEmpty() ? "no rows" : table(page);
    options.print(
        json,
        text
            + page.next()
                .map(next -> System.lineSeparator() + "more with --after " + next.encoded())
                .orElse(""));
  }

  private static ObjectNode json(Hit<ObjectNode> hit) {
    ObjectNode json = ShownRow.identity(hit.meta().type(), hit.meta().identity());
    json.put("commit_id", hit.meta().commitId());
    json.set("fields", hit.value());
    hit.left().ifPresent(end -> json.set("left", end.fields()));
    hit.right().ifPresent(end -> json.set("right", end.fields()));
    return json;
  }

  private String table(Page<ObjectNode> page) {
    boolean relation = schema.id().kind() == Kind.RELATION;
    boolean ends =
        page.hits().stream().anyMatch(hit -> hit.left().isPresent() || hit.right().isPresent());
    List<String> fields = new ArrayList<>(schema.payload().keySet());
    // An entity's key is what a row begins with already.
    fields.removeIf(name -> schema.identity() instanceof KeyField key && key.name().equals(name));
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(relation ? List.of("LEFT", "RIGHT") : List.of("KEY"));
    schema.instanceKeyField().ifPresent(name -> head.add(name.toUpperCase(Locale.ROOT)));
    head.add("COMMIT");
    fields.forEach(name -> head.add(name.toUpperCase(Locale.ROOT)));
    if (ends) {
      head.addAll(List.of("LEFT END", "RIGHT END"));
    }
    lines.add(head);
    page.hits().forEach(hit -> lines.add(line(hit, fields, ends)));
    return Table.aligned(lines);
  }

  private List<String> line(Hit<ObjectNode> hit, List<String> fields, boolean ends) {
    List<String> line = new ArrayList<>();
    if (hit.meta().identity() instanceof Identity.RelationKey key) {
      line.add(shown(key.left()));
      line.add(shown(key.right()));
      schema.instanceKeyField().ifPresent(name -> line.add(shown(key.instance())));
    } else {
      line.add(shown(hit.meta().identity().toString()));
    }
    line.add(Long.toString(hit.meta().commitId()));
    fields.forEach(name -> line.add(shown(hit.value().path(name))));
    if (ends) {
      line.add(shown(hit.left()));
      line.add(shown(hit.right()));
    }
    return line;
  }

  private static String shown(Optional<End> end) {
    return end.map(found -> found.fields().toString()).orElse("-");
  }

  private static String shown(JsonNode value) {
    if (value.isNull() || value.isMissingNode()) {
      return "-";
    }
    return value.isTextual() ? shown(value.textValue()) : value.toString();
  }

  /** On one line, whatever is in it. */
  private static String shown(String text) {
    return Plain.line(text);
  }

  void explanation(Explanation explained) {
    ObjectNode json =
        ShownRow.object()
            .put("engine", explained.engine())
            .put("head_commit_id", explained.commitId())
            .put("since", explained.window().lowerExclusive())
            .put("as_of", explained.window().upper())
            .put("filter", explained.filter())
            .put("file_count", explained.files().size())
            .put("bytes", explained.bytes())
            .put("sql", explained.sql());
    explained.course().work().ifPresent(work -> json.set("work", json(work)));
    ArrayNode files = json.putArray("files");
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("COMMITS", "BYTES", "FETCHED", "FILE"));
    for (Explanation.File file : explained.files()) {
      files.add(
          ShownRow.object()
              .put("path", file.path())
              .put("min_commit_id", file.minCommit())
              .put("max_commit_id", file.maxCommit())
              .put("bytes", file.bytes())
              .put("fetched", file.fetched()));
      lines.add(
          List.of(
              file.minCommit() + ".." + file.maxCommit(),
              Long.toString(file.bytes()),
              Long.toString(file.fetched()),
              file.path()));
    }
    String newline = System.lineSeparator();
    options.print(
        json,
        String.join(
            newline,
            "commits "
                + (explained.window().lowerExclusive() + 1)
                + " to "
                + explained.window().upper()
                + " of "
                + explained.commitId(),
            "where " + explained.filter(),
            "by " + explained.engine(),
            (explained.files().size() == 1 ? "1 file of " : explained.files().size() + " files of ")
                + explained.bytes()
                + " bytes",
            explained.course().work().map(ShownAnswer::told).orElse("nothing is counted"),
            Table.aligned(lines),
            "",
            explained.sql(),
            "",
            explained.steps()));
  }

  private static String told(Explanation.Work work) {
    return "read %d of %d row groups, %d bytes; took %d bytes of memory and %d of the disk"
        .formatted(
            work.rowGroupsRead(),
            work.rowGroups(),
            work.bytesRead(),
            work.memory(),
            work.spilled());
  }

  private static ObjectNode json(Explanation.Work work) {
    return ShownRow.object()
        .put("files_read", work.filesRead())
        .put("row_groups", work.rowGroups())
        .put("row_groups_read", work.rowGroupsRead())
        .put("bytes_read", work.bytesRead())
        .put("memory", work.memory())
        .put("spilled", work.spilled());
  }
}
