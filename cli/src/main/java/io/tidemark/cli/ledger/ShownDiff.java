// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.SchemaDiff;
import java.util.List;

/** How schemas differ, as JSON. */
final class ShownDiff {

  private ShownDiff() {}

  static ArrayNode json(List<SchemaDiff> diffs) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    diffs.forEach(diff -> list.add(json(diff)));
    return list;
  }

  private static ObjectNode json(SchemaDiff diff) {
    ObjectNode json = ShownRow.type(diff.type()).put("stored_version", diff.storedVersion());
    ArrayNode added = json.putArray("added");
    diff.added().forEach(added::add);
    ArrayNode removed = json.putArray("removed");
    diff.removed().forEach(removed::add);
    ObjectNode changed = json.putObject("changed");
    diff.changed()
        .forEach(
            (field, change) ->
                changed
                    .putObject(field)
                    .put("stored", change.stored())
                    .put("code", change.declared()));
    return json;
  }
}
