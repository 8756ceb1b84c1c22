// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.cli.terminal.Table;
import io.tidemark.ledger.query.End;
import io.tidemark.ledger.query.Hit;
import io.tidemark.ledger.query.Page;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.ledger.view.AnswerJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a query found, as text in columns or as JSON. */
record ShownAnswer(LedgerChoice options, TypeSchema schema) {

  void count(long rows) {
    options.print(AnswerJson.count(rows), Long.toString(rows));
  }

  /**
   * The rows, and for programs why there may be none.
   *
   * @param pinned options before that of the next page, which keep it at the commit of this one
   */
  void page(Page<ObjectNode> page, @Nullable String hint, String pinned) {
    String text = options.json() || page.hits().isEmpty() ? "no rows" : table(page);
    options.print(
        options.json() ? AnswerJson.page(page, Optional.ofNullable(hint)) : NullNode.instance,
        text
            + page.next()
                .map(
                    next ->
                        System.lineSeparator()
                            + "more with "
                            + pinned
                            + "--after "
                            + next.encoded())
                .orElse(""));
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
    if (value.isTextual()) {
      return shown(value.textValue());
    }
    // Only what has parts takes the mapper of Jackson, whose start takes longer than a row.
    return value.isContainerNode() ? value.toString() : value.asText();
  }

  /** On one line, whatever is in it. */
  private static String shown(String text) {
    return Plain.line(text);
  }

  void explanation(Explanation explained) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("COMMITS", "BYTES", "FETCHED", "FILE"));
    for (Explanation.File file : explained.files()) {
      lines.add(
          List.of(
              file.minCommit() + ".." + file.maxCommit(),
              Long.toString(file.bytes()),
              Long.toString(file.fetched()),
              file.path()));
    }
    String newline = System.lineSeparator();
    options.print(
        AnswerJson.explanation(explained),
        String.join(
            newline,
            "commits "
                + (explained.window().lowerExclusive() + 1)
                + " to "
                + explained.window().upper()
                + " of "
                + explained.commitId(),
            "where " + explained.filter(),
            explained.versions().isEmpty()
                ? "rows are of one version of the schema"
                : explained.versions().stream()
                    .map(Object::toString)
                    .collect(Collectors.joining(newline)),
            "by " + explained.engine(),
            Plural.of(explained.files().size(), "file")
                + " of "
                + Plural.of(explained.bytes(), "byte"),
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
}
