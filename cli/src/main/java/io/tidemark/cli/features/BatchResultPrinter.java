// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.WrittenFeatures;
import io.tidemark.api.features.WrittenFeatures.Result;
import io.tidemark.api.features.WrittenFeatures.Row;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.cli.terminal.TerminalEscaping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Printer of the result of a batch. */
record BatchResultPrinter(WrittenFeatures written) {

  /** Maximum number of rows in the table. */
  private static final int MOST_SHOWN = 20;

  /** Prints the result, a refused batch as a failure unless as JSON; returns the exit code. */
  int print(FeatureStorageMixin storage) {
    if (storage.json() || written.committed()) {
      storage.print(shown(), doneText());
    } else {
      storage.err().println("tidemark: " + problemText());
    }
    return written.firstProblem().map(row -> exitCode(row.result())).orElse(ExitCodes.OK);
  }

  private static int exitCode(Result problem) {
    return switch (problem) {
      case CONFLICT -> ExitCodes.CONFLICT;
      case MISSING -> ExitCodes.FAILED;
      default -> ExitCodes.EXECUTION;
    };
  }

  /** Returns the JSON document, in which the uuid of a state identifies its version. */
  private JsonNode shown() {
    JsonNode json = WireJson.tree(written);
    json.path("rows").forEach(row -> ((ObjectNode) row).remove("version"));
    return json;
  }

  private String doneText() {
    List<Row> rows = written.rows();
    Map<String, Long> counts =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row -> row.result().word(), TreeMap::new, Collectors.counting()));
    String sum =
        counts.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", "));
    String txn = written.txn().map(String::valueOf).orElse("");
    String text = "transaction " + txn + ": " + (sum.isEmpty() ? "nothing to do" : sum);
    return rows.isEmpty() || rows.size() > MOST_SHOWN
        ? text
        : table(rows) + System.lineSeparator() + text;
  }

  private String problemText() {
    List<Row> wrong = written.rows().stream().filter(row -> !row.result().isDone()).toList();
    String more =
        wrong.size() > MOST_SHOWN
            ? System.lineSeparator() + "and " + (wrong.size() - MOST_SHOWN) + " more"
            : "";
    return "nothing was written: "
        + wrong.size()
        + " of "
        + written.rows().size()
        + " can't be done"
        + System.lineSeparator()
        + wrong.stream()
            .limit(MOST_SHOWN)
            .map(BatchResultPrinter::problem)
            .collect(Collectors.joining(System.lineSeparator()))
        + more;
  }

  private static String problem(Row row) {
    return TerminalEscaping.escapeLine(
        "  %s  %s  %s".formatted(row.result().word(), row.id(), row.message().orElse("")));
  }

  private static String table(List<Row> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("RESULT", "ID", "VERSION", "UUID"));
    for (Row row : rows) {
      lines.add(
          List.of(
              row.result().word(),
              row.id(),
              row.version().map(String::valueOf).orElse("-"),
              row.uuid().orElse("-")));
    }
    return Table.aligned(lines);
  }
}
