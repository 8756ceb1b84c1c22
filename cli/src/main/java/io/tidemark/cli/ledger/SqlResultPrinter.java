// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.SqlHeader;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.terminal.TerminalEscaping;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Printer of the result of a statement while it is read: as text in columns, as JSON or as CSV. */
record SqlResultPrinter(ResultStream<SqlHeader, ObjectNode> answer, PrintWriter out) {

  /** Number of rows that are aligned at once, so that any number of rows can be printed. */
  private static final int ALIGNED = 1000;

  private List<String> columns() {
    return List.copyOf(answer.header().columns().keySet());
  }

  void text() {
    List<String> columns = columns();
    List<String> head = columns.stream().map(name -> name.toUpperCase(Locale.ROOT)).toList();
    List<List<String>> lines = new ArrayList<>();
    lines.add(head);
    long[] rows = {0};
    answer.forEach(
        row -> {
          rows[0]++;
          lines.add(columns.stream().map(name -> shown(row.path(name))).toList());
          if (lines.size() > ALIGNED) {
            out.println(Table.aligned(lines));
            lines.clear();
            lines.add(head);
          }
        });
    if (rows[0] == 0) {
      out.println("no rows");
    } else if (lines.size() > 1) {
      out.println(Table.aligned(lines));
    }
  }

  private static String shown(JsonNode value) {
    if (value.isNull()) {
      return "-";
    }
    return TerminalEscaping.escapeLine(value.isTextual() ? value.textValue() : value.toString());
  }

  /** Prints a document without the notes on schemas, which are on standard error. */
  void json() {
    SqlHeader head = answer.header();
    out.print(
        WireJson.text(new SqlHeader(head.commitId(), head.columns(), List.of()))
            .replaceFirst("}$", ",\"rows\":["));
    String[] comma = {""};
    answer.forEach(
        row -> {
          out.print(comma[0] + row);
          comma[0] = ",";
        });
    out.println("]}");
  }

  /** Prints CSV by RFC 4180, but for the line ends; null is empty, empty text is "". */
  void csv() {
    List<String> columns = columns();
    out.println(columns.stream().map(SqlResultPrinter::quoted).collect(Collectors.joining(",")));
    answer.forEach(
        row ->
            out.println(
                columns.stream()
                    .map(name -> field(row.path(name)))
                    .collect(Collectors.joining(","))));
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
