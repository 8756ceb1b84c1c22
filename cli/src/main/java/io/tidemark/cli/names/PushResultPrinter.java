// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.PushResult;
import io.tidemark.names.view.RecordJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Printer of the result of a push; for a conflict, the expected and the current value, one below
 * the other.
 *
 * @param what text of the concern and its record
 * @param expected value that the caller expected, as JSON
 * @param shown the same value as text
 * @param next value that the caller wanted
 */
record PushResultPrinter(String what, JsonNode expected, String shown, ConcernValue next) {

  /** Prints the result and returns the exit code. */
  int print(NamesOptions options, PushResult result) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (result instanceof PushResult.Updated updated) {
      json.put("result", "updated").set("now", RecordJson.of(updated.now()));
      options.print(json, RecordFormatter.text(updated.now()));
      return ExitCodes.OK;
    }
    Optional<ConcernValue> actual = ((PushResult.Conflict) result).actual();
    json.put("result", "conflict").set("expected", expected);
    json.set("actual", RecordJson.of(actual));
    options.print(json, text(actual));
    return ExitCodes.CONFLICT;
  }

  private String text(Optional<ConcernValue> actual) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("  expected", shown));
    rows.add(List.of("  actual", RecordFormatter.text(actual)));
    if (expected.equals(RecordJson.of(actual))) {
      rows.add(List.of("  next", RecordFormatter.text(next) + ", which isn't ahead of that"));
    }
    return "conflict: the "
        + what
        + " has not moved"
        + System.lineSeparator()
        + Table.aligned(rows);
  }
}
