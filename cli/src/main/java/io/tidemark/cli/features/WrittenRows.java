// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.Feature;
import io.tidemark.features.RowResult;
import io.tidemark.features.Txn;
import io.tidemark.features.WriteResult;
import io.tidemark.features.Xyz;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What became of each row of a batch, which was done as a whole or not at all.
 *
 * @param result the rows
 * @param txn the transaction, whether it was committed or not
 */
record WrittenRows(WriteResult result, Txn txn) {

  /** A table of more rows is for nobody. */
  private static final int MOST_SHOWN = 20;

  private record Row(String word, Optional<Feature> state, String message) {}

  /** Prints it and says what to end with. */
  int print(StorageChoice storage) {
    storage.print(json(), result.done() ? doneText() : problemText());
    return result.firstProblem().map(WrittenRows::exitCode).orElse(ExitCodes.OK);
  }

  private static int exitCode(RowResult problem) {
    if (problem instanceof RowResult.Conflict) {
      return ExitCodes.CONFLICT;
    }
    return problem instanceof RowResult.Missing ? ExitCodes.FAILED : ExitCodes.EXECUTION;
  }

  private ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("committed", result.done());
    if (result.done()) {
      json.put("txn", txn.value());
    }
    ArrayNode rows = json.putArray("rows");
    for (RowResult each : result.rows()) {
      Row row = row(each);
      ObjectNode one = rows.addObject().put("result", row.word()).put("id", each.id());
      row.state().flatMap(Feature::xyz).flatMap(Xyz::uuid).ifPresent(u -> one.put("uuid", u));
      if (!row.message().isEmpty()) {
        one.put("message", row.message());
      }
      if (!each.done()) {
        row.state().ifPresent(actual -> one.set("actual", ShownFeatures.json(actual)));
      }
    }
    return json;
  }

  private String doneText() {
    Map<String, Long> counts =
        result.rows().stream()
            .collect(
                Collectors.groupingBy(
                    each -> row(each).word(), TreeMap::new, Collectors.counting()));
    String sum =
        counts.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", "));
    String text = "transaction " + txn + ": " + (sum.isEmpty() ? "nothing to do" : sum);
    return result.rows().isEmpty() || result.rows().size() > MOST_SHOWN
        ? text
        : table(result.rows()) + System.lineSeparator() + text;
  }

  private String problemText() {
    List<RowResult> wrong = result.rows().stream().filter(each -> !each.done()).toList();
    String more =
        wrong.size() > MOST_SHOWN
            ? System.lineSeparator() + "and " + (wrong.size() - MOST_SHOWN) + " more"
            : "";
    return "nothing was written: "
        + wrong.size()
        + " of "
        + result.rows().size()
        + " can't be done"
        + System.lineSeparator()
        + wrong.stream()
            .limit(MOST_SHOWN)
            .map(each -> "  " + row(each).word() + "  " + each.id() + "  " + row(each).message())
            .collect(Collectors.joining(System.lineSeparator()))
        + more;
  }

  private static String table(List<RowResult> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("RESULT", "ID", "VERSION", "UUID"));
    for (RowResult each : rows) {
      Optional<Xyz> xyz = row(each).state().flatMap(Feature::xyz);
      lines.add(
          List.of(
              row(each).word(),
              each.id(),
              xyz.map(known -> Long.toString(known.version())).orElse("-"),
              xyz.flatMap(Xyz::uuid).orElse("-")));
    }
    return Table.aligned(lines);
  }

  private static Row row(RowResult result) {
    String word = result.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    if (result instanceof RowResult.Created created) {
      return new Row(word, Optional.of(created.state()), "");
    }
    if (result instanceof RowResult.Updated updated) {
      return new Row(word, Optional.of(updated.state()), "");
    }
    if (result instanceof RowResult.Deleted deleted) {
      return new Row(word, deleted.state(), "");
    }
    if (result instanceof RowResult.Purged purged) {
      return new Row(word, purged.state(), "");
    }
    if (result instanceof RowResult.Conflict conflict) {
      return new Row(word, conflict.actual(), conflict.message());
    }
    if (result instanceof RowResult.Missing missing) {
      return new Row(word, Optional.empty(), missing.message());
    }
    if (result instanceof RowResult.Invalid invalid) {
      return new Row(word, Optional.empty(), invalid.message());
    }
    return new Row(word, Optional.empty(), "");
  }
}
