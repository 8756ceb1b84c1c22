// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * What became of each row of a batch, which was done as a whole or not at all.
 *
 * @param json as {@link io.tidemark.features.view.RowsJson} has it
 */
record WrittenRows(JsonNode json) {

  /** A table of more rows is for nobody. */
  private static final int MOST_SHOWN = 20;

  private static final Map<String, Integer> PROBLEMS =
      Map.of(
          "conflict", ExitCodes.CONFLICT,
          "missing", ExitCodes.FAILED,
          "invalid", ExitCodes.EXECUTION);

  /**
   * Prints it and says what to end with; what is wrong is for people told as other failures are.
   */
  int print(StorageChoice storage) {
    if (storage.json() || json.path("committed").asBoolean()) {
      storage.print(shown(), doneText());
    } else {
      storage.err().println("tidemark: " + problemText());
    }
    return rows().stream()
        .filter(WrittenRows::isProblem)
        .findFirst()
        .map(row -> PROBLEMS.getOrDefault(result(row), ExitCodes.EXECUTION))
        .orElse(ExitCodes.OK);
  }

  /** What programs get, for whom a state has its version in it. */
  private JsonNode shown() {
    JsonNode copy = json.deepCopy();
    copy.path("rows").forEach(row -> ((ObjectNode) row).remove("version"));
    return copy;
  }

  private List<JsonNode> rows() {
    return StreamSupport.stream(json.path("rows").spliterator(), false).toList();
  }

  private static String result(JsonNode row) {
    return row.path("result").asText();
  }

  private static boolean isProblem(JsonNode row) {
    return PROBLEMS.containsKey(result(row));
  }

  private String doneText() {
    List<JsonNode> rows = rows();
    Map<String, Long> counts =
        rows.stream()
            .collect(
                Collectors.groupingBy(WrittenRows::result, TreeMap::new, Collectors.counting()));
    String sum =
        counts.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", "));
    String text =
        "transaction " + json.path("txn").asText() + ": " + (sum.isEmpty() ? "nothing to do" : sum);
    return rows.isEmpty() || rows.size() > MOST_SHOWN
        ? text
        : table(rows) + System.lineSeparator() + text;
  }

  private String problemText() {
    List<JsonNode> wrong = rows().stream().filter(WrittenRows::isProblem).toList();
    String more =
        wrong.size() > MOST_SHOWN
            ? System.lineSeparator() + "and " + (wrong.size() - MOST_SHOWN) + " more"
            : "";
    return "nothing was written: "
        + wrong.size()
        + " of "
        + rows().size()
        + " can't be done"
        + System.lineSeparator()
        + wrong.stream()
            .limit(MOST_SHOWN)
            .map(
                row ->
                    Plain.line(
                        "  %s  %s  %s"
                            .formatted(
                                result(row),
                                row.path("id").asText(),
                                row.path("message").asText())))
            .collect(Collectors.joining(System.lineSeparator()))
        + more;
  }

  private static String table(List<JsonNode> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("RESULT", "ID", "VERSION", "UUID"));
    for (JsonNode row : rows) {
      lines.add(
          List.of(
              result(row),
              row.path("id").asText(),
              row.path("version").asText("-"),
              row.path("uuid").asText("-")));
    }
    return Table.aligned(lines);
  }
}
