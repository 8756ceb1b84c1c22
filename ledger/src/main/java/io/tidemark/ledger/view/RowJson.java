// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Change;
import io.tidemark.ledger.branch.Difference;
import io.tidemark.ledger.query.Hit;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.Optional;

/** Rows, and what became of them. */
public final class RowJson {

  private RowJson() {}

  /** A row's type and by what it is told from others. */
  public static ObjectNode identity(TypeId type, Identity identity) {
    ObjectNode json = TypeJson.name(type);
    if (identity instanceof Identity.RelationKey key) {
      json.put("left_key", key.left()).put("right_key", key.right());
      return key.instance().isEmpty() ? json : json.put("instance_key", key.instance());
    }
    return json.put("key", identity.toString());
  }

  /** A row that was found. */
  public static ObjectNode hit(Hit<ObjectNode> hit) {
    ObjectNode json = identity(hit.meta().type(), hit.meta().identity());
    json.put("commit_id", hit.meta().commitId());
    json.set("fields", hit.value());
    hit.left().ifPresent(end -> json.set("left", end.fields()));
    hit.right().ifPresent(end -> json.set("right", end.fields()));
    return json;
  }

  /** What a commit did to a row. */
  public static ObjectNode change(Change change) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("operation", change.operation().word())
            .setAll(identity(change.type(), change.identity()));
    put(json, "before", change.before());
    json.set("after", parsed(change.after().fieldsJson()));
    return json;
  }

  /** How a row is otherwise in one state than in another. */
  public static ObjectNode difference(Difference each) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("operation", each.kind().word())
            .setAll(identity(each.type(), each.identity()));
    put(json, "before", each.before());
    put(json, "after", each.after());
    return json;
  }

  private static void put(ObjectNode json, String field, Optional<Row> row) {
    json.set(field, row.map(found -> parsed(found.fieldsJson())).orElse(null));
    json.put(field + "_commit_id", row.map(Row::commitId).orElse(null));
  }

  /** JSON that is stored, and so is known to be JSON. */
  public static JsonNode parsed(String json) {
    try {
      return CanonicalJson.parse(json);
    } catch (IOException e) {
      throw new IllegalStateException("what is stored was checked", e);
    }
  }
}
