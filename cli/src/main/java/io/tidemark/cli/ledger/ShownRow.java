// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Identity;
import io.tidemark.ledger.json.CanonicalJson;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.UtcTimestamp;
import java.io.IOException;
import java.util.Collection;
import java.util.OptionalLong;

/** Types, rows and commits as JSON. */
final class ShownRow {

  private ShownRow() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static ObjectNode type(TypeId type) {
    return object().put("type_kind", type.kind().singular()).put("type_name", type.name());
  }

  static ObjectNode identity(TypeId type, Identity identity) {
    ObjectNode json = type(type);
    if (identity instanceof Identity.RelationKey key) {
      json.put("left_key", key.left()).put("right_key", key.right());
      return key.instance().isEmpty() ? json : json.put("instance_key", key.instance());
    }
    return json.put("key", identity.toString());
  }

  static ObjectNode commit(Commit commit) {
    ObjectNode json =
        object()
            .put("commit_id", commit.id())
            .put("timestamp", UtcTimestamp.format(commit.createdAt()))
            .put("operations", commit.operations());
    json.set("meta", commit.metadata());
    return json;
  }

  /** Such as {@code 1 row} and {@code 2 rows}. */
  static String rows(long count) {
    return count(count, "row");
  }

  /** The same of anything that has an s when it is more or less than one. */
  static String count(long count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
  }

  static ArrayNode names(Collection<TypeId> types) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    types.forEach(type -> list.add(type.toString()));
    return list;
  }

  /** A number, or null where there is none. */
  static JsonNode orNull(OptionalLong value) {
    return value.isPresent()
        ? LongNode.valueOf(value.getAsLong())
        : JsonNodeFactory.instance.nullNode();
  }

  /** That the name of a ledger points elsewhere. */
  static String misnamed(long said, long head) {
    return "the nameservice takes "
        + (said == head ? "another commit " : "commit ")
        + said
        + " for the newest";
  }

  /** JSON that is stored, and so is known to be JSON. */
  static JsonNode parsed(String json) {
    try {
      return CanonicalJson.parse(json);
    } catch (IOException e) {
      throw new IllegalStateException("what is stored was checked", e);
    }
  }
}
