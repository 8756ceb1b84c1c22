// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.model.InvalidRequestException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The members of an object that somebody sends, which are to be of certain types. One that is null
 * counts as absent; one that nobody knows is refused, for it may be one misspelt.
 *
 * @param json the object
 * @param what it is, for messages
 */
record Members(ObjectNode json, String what) {

  /** Refuses what isn't among the names. */
  Members only(Set<String> names) {
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
    return value(name).map(value -> text(name, "a text", value));
  }

  /** A text, or a list of texts. */
  List<String> texts(String name) {
    JsonNode value = json.path(name);
    if (value.isArray()) {
      List<String> texts = new ArrayList<>();
      value.forEach(one -> texts.add(text(name, "a list of texts", one)));
      return texts;
    }
    return text(name).map(List::of).orElse(List.of());
  }

  private String text(String name, String wanted, JsonNode value) {
    if (!value.isTextual()) {
      throw refused(name, wanted, value);
    }
    return value.textValue();
  }

  /** A number, which may be written as a text. */
  Optional<Double> number(String name) {
    return value(name).map(value -> number(name, value));
  }

  private double number(String name, JsonNode value) {
    try {
      return Double.parseDouble(value.asText());
    } catch (NumberFormatException e) {
      throw refused(name, "a number", value);
    }
  }

  /** A whole number, which may be written as a text. */
  Optional<Long> whole(String name) {
    return value(name).map(value -> whole(name, value));
  }

  private long whole(String name, JsonNode value) {
    try {
      return Long.parseLong(value.asText());
    } catch (NumberFormatException e) {
      throw refused(name, "a whole number", value);
    }
  }

  boolean flag(String name) {
    Optional<JsonNode> value = value(name);
    if (value.isPresent() && !value.get().isBoolean()) {
      throw refused(name, "true or false", value.get());
    }
    return value.isPresent() && value.get().booleanValue();
  }

  private InvalidRequestException refused(String name, String wanted, JsonNode given) {
    String shown = given.toString();
    return new InvalidRequestException(
        "\"%s\" of %s is %s, unlike %s"
            .formatted(
                name, what, wanted, shown.length() > 50 ? shown.substring(0, 50) + "…" : shown));
  }
}
