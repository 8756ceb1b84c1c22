// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.catalog.SchemaLife;
import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.TypeId;
import java.util.Collection;
import java.util.List;

/** Types and their schemas. */
public final class TypeJson {

  private TypeJson() {}

  public static ObjectNode name(TypeId type) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type_kind", type.kind().singular())
        .put("type_name", type.name());
  }

  public static ArrayNode names(Collection<TypeId> types) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    types.forEach(type -> list.add(type.toString()));
    return list;
  }

  /** How declared types compare with those of a ledger. */
  public static ObjectNode comparison(SchemaLife.Comparison found) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("status", found.diffs().isEmpty() ? "ok" : "mismatch");
    json.set("diffs", diffs(found.diffs()));
    json.set("new_types", names(found.missing()));
    return json;
  }

  /** How schemas differ. */
  public static ArrayNode diffs(List<SchemaDiff> diffs) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    diffs.forEach(diff -> list.add(diff(diff)));
    return list;
  }

  private static ObjectNode diff(SchemaDiff diff) {
    ObjectNode json = name(diff.type()).put("stored_version", diff.storedVersion());
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
