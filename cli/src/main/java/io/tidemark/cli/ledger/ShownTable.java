// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.cli.terminal.Table;
import io.tidemark.ledger.query.sql.SqlAnswer;
import io.tidemark.ledger.view.AnswerJson;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The answer to a statement, written as it is read: as text in columns, as JSON or as CSV. */
record ShownTable(SqlAnswer answer, PrintWriter out) {

  /** How many rows of text are put in columns at once, so that any number of rows can be shown. */
  private static final int ALIGNED = 1000;

  void text() {
    List<String> head =
        answer.columns().stream().map(column -> column.name().toUpperCase(Locale.ROOT)).toList();
    List<List<String>> lines = new ArrayList<>();
    lines.add(head);
    long rows = 0;
    for (Optional<List<JsonNode>> row = answer.next(); row.isPresent(); row = answer.next()) {
      rows++;
      lines.add(row.get().stream().map(ShownTable::shown).toList());
      if (lines.size() > ALIGNED) {
        out.println(Table.aligned(lines));
        lines.clear();
        lines.add(head);
      }
    }
    if (rows == 0) {
      out.println("no rows");
    } else if (lines.size() > 1) {
      out.println(Table.aligned(lines));
    }
  }

  private static String shown(JsonNode value) {
    if (value.isNull()) {
      return "-";
    }
    return Plain.line(value.isTextual() ? value.textValue() : value.toString());
  }

  void json() {
    ObjectNode columns = AnswerJson.columns(answer);
    out.print("{\"commit_id\":" + answer.commitId() + ",\"columns\":" + columns + ",\"rows\":[");
    String comma = "";
    for (Optional<List<JsonNode>> row = answer.next(); row.isPresent(); row = answer.next()) {
      out.print(comma + AnswerJson.row(answer, row.get()));
      comma = ",";
    }
    out.println("]}");
  }

  /** As RFC 4180 has it, but for the ends of lines; what is null is empty, empty text is "". */
  void csv() {
    out.println(
        answer.columns().stream()
            .map(column -> quoted(column.name()))
            .collect(Collectors.joining(",")));
    for (Optional<List<JsonNode>> row = answer.next(); row.isPresent(); row = answer.next()) {
      out.println(row.get().stream().map(ShownTable::field).collect(Collectors.joining(",")));
    }
  }

  private static String field(JsonNode value) {
    if (value.isNull()) {
      return "";
    }
    return quoted(value.isTextual() ? value.textValue() : value.toString());
  }

  private static String quoted(String text) {
    boolean plain = !text.isEmpty() && text.chars().noneMatch(c -> ",\"\r\n".indexOf(c) >= 0);
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
