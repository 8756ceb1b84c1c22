// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.model.InvalidRequestException;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * Reader of the members of a JSON object from a client, which checks their types. A member that is
 * null counts as absent; an unknown member is refused, because it may be misspelt.
 *
 * @param json the object
 * @param what its name in messages
 */
record JsonObjectReader(ObjectNode json, String what) {

  /** Refuses members that aren't among the names. */
  JsonObjectReader requireOnly(Set<String> names) {
    for (Iterator<String> given = json.fieldNames(); given.hasNext(); ) {
      String name = given.next();
      if (!names.contains(name)) {
        throw new InvalidRequestException(
            "%s has no \"%s\"; it has %s"
                .formatted(what, name, String.join(", ", names.stream().sorted().toList())));
      }
    }
    return this;
  }

  Optional<JsonNode> value(String name) {
    JsonNode value = json.path(name);
    return value.isMissingNode() || value.isNull() ? Optional.empty() : Optional.of(value);
  }

  Optional<String> text(String name) {
    return value(name).map(value -> text(name, value));
  }

  private String text(String name, JsonNode value) {
    if (!value.isTextual()) {
      throw refused(name, value);
    }
    return value.textValue();
  }

  private InvalidRequestException refused(String name, JsonNode given) {
    String shown = given.toString();
    return new InvalidRequestException(
        "\"%s\" of %s is a text, unlike %s"
            .formatted(name, what, shown.length() > 50 ? shown.substring(0, 50) + "…" : shown));
  }
}
