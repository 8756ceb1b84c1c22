// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.tidemark.names.config.ConnectionGraph.Node;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The values of one node. Messages name the node and the field; a value that comes from outside the
 * document isn't repeated, since a variable may hold something else than was thought.
 */
final class NodeFields {

  private static final String ENV = "envVar";
  private static final String PROPERTY = "javaProp";
  private static final String DEFAULT = "defaultVal";

  /**
   * A value and where it is from.
   *
   * @param shown how messages call it
   */
  private record Value(String text, String shown) {}

  private final Node node;
  private final Environment environment;

  NodeFields(Node node, Environment environment) {
    this.node = node;
    this.environment = environment;
  }

  /** Returns whether one of the fields is there, with a value or without. */
  boolean hasAny(Set<String> fields) {
    return fields.stream().anyMatch(field -> !raw(field).isNull());
  }

  /** Returns whether a field would have a value. */
  boolean isSet(String field) {
    return !raw(field).isNull() && (!isIndirect(raw(field)) || resolved(field).isPresent());
  }

  Optional<String> text(String field) {
    return value(field).map(Value::text);
  }

  /** Returns the description of a field for messages. */
  String describe(String field) {
    return value(field).map(Value::shown).orElse("nothing");
  }

  /** Returns a whole number that isn't less than the given one. */
  OptionalInt number(String field, int least) {
    Optional<Value> value = value(field);
    if (value.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      int number = Integer.parseInt(value.get().text().strip());
      if (number >= least) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException e) {
      // Answered below, without the cause: its message repeats the value.
    }
    throw invalidField(
        field, value.get().shown() + ", which is no whole number from " + least + "; correct it");
  }

  /** One of some words. */
  <T> Optional<T> choice(String field, Map<String, T> words) {
    Optional<Value> value = value(field);
    if (value.isPresent() && !words.containsKey(value.get().text())) {
      throw invalidField(
          field, value.get().shown() + "; write " + String.join(" or ", words.keySet()));
    }
    return value.map(Value::text).map(words::get);
  }

  /** Returns the address of a server. */
  Optional<URI> server(String field) {
    Optional<String> text = text(field);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(text.get());
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean bare =
          uri.getHost() != null
              && uri.getRawUserInfo() == null
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null;
      if (web && bare) {
        return Optional.of(uri);
      }
    } catch (URISyntaxException e) {
      // Answered below, without the cause: its message repeats the value.
    }
    throw invalidField(
        field, "a value that is not the address of a server; write http://server:port");
  }

  /** Returns the {@code @id} of another node. */
  Optional<String> reference(String field) {
    JsonNode found = raw(field);
    if (found.isNull()) {
      return Optional.empty();
    }
    JsonNode id = found.isObject() ? found.path("@id") : found;
    if (!id.isTextual() || id.textValue().isEmpty()) {
      throw invalidField(field, "a value that refers to no node; write {\"@id\": \"...\"}");
    }
    return Optional.of(id.textValue());
  }

  InvalidConnectionException invalidField(String field, String problem) {
    return new InvalidConnectionException(node.describe() + " has in " + field + " " + problem);
  }

  private Optional<Value> value(String field) {
    JsonNode found = raw(field);
    if (found.isNull()) {
      return Optional.empty();
    }
    if (isIndirect(found)) {
      return Optional.of(resolved(field).orElseThrow(() -> unset(field)));
    }
    return Optional.of(new Value(plain(field, found), "\"" + found.asText() + "\""));
  }

  private Optional<Value> resolved(String field) {
    JsonNode found = raw(field);
    Optional<String> variable = nameOf(field, found, ENV);
    Optional<String> property = nameOf(field, found, PROPERTY);
    JsonNode standard = found.path(DEFAULT);
    return variable
        .flatMap(environment::variable)
        .filter(text -> !text.isEmpty())
        .map(text -> new Value(text, "the environment variable " + variable.orElseThrow()))
        .or(
            () ->
                property
                    .flatMap(environment::property)
                    .filter(text -> !text.isEmpty())
                    .map(text -> new Value(text, "the property " + property.orElseThrow())))
        .or(
            () ->
                standard.isMissingNode() || standard.isNull()
                    ? Optional.empty()
                    : Optional.of(
                        new Value(plain(field, standard), "\"" + standard.asText() + "\"")));
  }

  private InvalidConnectionException unset(String field) {
    List<String> remedies = new ArrayList<>();
    nameOf(field, raw(field), ENV).ifPresent(v -> remedies.add("the environment variable " + v));
    nameOf(field, raw(field), PROPERTY).ifPresent(p -> remedies.add("the system property " + p));
    return invalidField(
        field,
        "no value; "
            + (remedies.isEmpty() ? "" : "set " + String.join(" or ", remedies) + ", or ")
            + "write a defaultVal");
  }

  private Optional<String> nameOf(String field, JsonNode found, String part) {
    JsonNode name = found.path(part);
    if (name.isMissingNode() || name.isNull()) {
      return Optional.empty();
    }
    if (!name.isTextual() || name.textValue().isEmpty()) {
      throw invalidField(field, "an " + part + " that is no name; write it as text");
    }
    return Optional.of(name.textValue());
  }

  private String plain(String field, JsonNode found) {
    if (!found.isValueNode() || found.asText().isEmpty()) {
      throw invalidField(
          field,
          "no single value; write one, or {\"envVar\": ..., \"javaProp\": ...,"
              + " \"defaultVal\": ...}");
    }
    return found.asText();
  }

  private static boolean isIndirect(JsonNode found) {
    return found.has(ENV) || found.has(PROPERTY) || found.has(DEFAULT);
  }

  private JsonNode raw(String field) {
    JsonNode found = node.fields().get(field);
    return found == null ? NullNode.instance : found;
  }
}
