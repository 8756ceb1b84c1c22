// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * Result of deleting or purging a collection. JSON is {@code {"deleted": "roads"}}, or {@code
 * {"deleted": null, "absent": "roads"}} if there was nothing to delete.
 *
 * @param kind operation
 * @param id id of the collection
 * @param done whether there was something to remove
 */
public record CollectionRemoval(Kind kind, String id, boolean done) {

  /** Operation that removes a collection. */
  public enum Kind {
    DELETED,
    PURGED;

    private String member() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads the JSON form. */
  @JsonCreator
  static CollectionRemoval of(JsonNode json) {
    Kind kind = json.has(Kind.PURGED.member()) ? Kind.PURGED : Kind.DELETED;
    boolean done = json.hasNonNull(kind.member());
    return new CollectionRemoval(kind, json.path(done ? kind.member() : "absent").asText(), done);
  }

  /** Returns the JSON form. */
  @JsonValue
  public JsonNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    return done ? json.put(kind.member(), id) : json.putNull(kind.member()).put("absent", id);
  }
}
