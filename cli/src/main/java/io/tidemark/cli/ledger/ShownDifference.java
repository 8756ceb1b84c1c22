// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.ledger.branch.Difference;
import io.tidemark.ledger.branch.Fields;
import io.tidemark.ledger.view.RowJson;
import java.util.Optional;
import java.util.stream.Collectors;

/** A row that differs, as a line. */
final class ShownDifference {

  private ShownDifference() {}

  static String text(Difference each) {
    String what = each.type() + " " + each.identity() + "  ";
    String line =
        switch (each.kind()) {
          case INSERTED -> "inserted  " + what + each.after().orElseThrow().fieldsJson();
          case REMOVED -> "removed   " + what + each.before().orElseThrow().fieldsJson();
          case CHANGED ->
              "changed   "
                  + what
                  + fields(
                      RowJson.parsed(each.before().orElseThrow().fieldsJson()),
                      RowJson.parsed(each.after().orElseThrow().fieldsJson()));
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
