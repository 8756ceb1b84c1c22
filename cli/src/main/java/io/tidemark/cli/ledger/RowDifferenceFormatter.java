// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.cli.terminal.TerminalEscaping;
import io.tidemark.ledger.internal.branch.PayloadComparison;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Optional;
import java.util.stream.Collectors;

/** Text format of a row that differs, as a line. */
final class RowDifferenceFormatter {

  private RowDifferenceFormatter() {}

  static String text(RowDifference each) {
    String what =
        LedgerFormatter.type(each.typeKind(), each.typeName())
            + " "
            + LedgerFormatter.identity(
                each.key(), each.leftKey(), each.rightKey(), each.instanceKey())
            + "  ";
    String line =
        switch (each.operation()) {
          case "inserted" -> "inserted  " + what + CanonicalJson.write(each.after().orElseThrow());
          case "removed" -> "removed   " + what + CanonicalJson.write(each.before().orElseThrow());
          default ->
              "changed   " + what + fields(each.before().orElseThrow(), each.after().orElseThrow());
        };
    return TerminalEscaping.escapeLine(line);
  }

  /** Returns the changed fields, such as {@code age 30 -> 31, email nothing -> "a@b.c"}. */
  static String fields(JsonNode before, JsonNode after) {
    return PayloadComparison.changes((ObjectNode) before, (ObjectNode) after).stream()
        .map(each -> each.field() + " " + value(each.before()) + " -> " + value(each.after()))
        .collect(Collectors.joining(", "));
  }

  static String value(Optional<JsonNode> value) {
    return value.map(JsonNode::toString).orElse("nothing");
  }
}
