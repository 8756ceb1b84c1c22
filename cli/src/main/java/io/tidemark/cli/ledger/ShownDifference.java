// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.ledger.internal.branch.Fields;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Optional;
import java.util.stream.Collectors;

/** A row that differs, as a line. */
final class ShownDifference {

  private ShownDifference() {}

  static String text(RowDifference each) {
    String what =
        ShownRow.type(each.typeKind(), each.typeName())
            + " "
            + ShownRow.identity(each.key(), each.leftKey(), each.rightKey(), each.instanceKey())
            + "  ";
    String line =
        switch (each.operation()) {
          case "inserted" -> "inserted  " + what + CanonicalJson.write(each.after().orElseThrow());
          case "removed" -> "removed   " + what + CanonicalJson.write(each.before().orElseThrow());
          default ->
              "changed   " + what + fields(each.before().orElseThrow(), each.after().orElseThrow());
        };
    return Plain.line(line);
  }

  /** Such as {@code age 30 -> 31, email nothing -> "a@b.c"}. */
  static String fields(JsonNode before, JsonNode after) {
    return Fields.changed((ObjectNode) before, (ObjectNode) after).stream()
        .map(each -> each.field() + " " + value(each.before()) + " -> " + value(each.after()))
        .collect(Collectors.joining(", "));
  }

  static String value(Optional<JsonNode> value) {
    return value.map(JsonNode::toString).orElse("nothing");
  }
}
