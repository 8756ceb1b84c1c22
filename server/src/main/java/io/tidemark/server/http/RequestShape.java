// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import static io.tidemark.server.http.ApiDescription.resolved;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.eclipse.jetty.util.Fields;

/**
 * Query parameters and members of the body that an operation takes, by its description. Any other
 * is refused: ignored, a misspelt one would change what the request does without a word.
 *
 * <p>An object in a body is open if its schema lists no properties, or allows additional ones.
 */
final class RequestShape {

  private static final List<String> ALTERNATIVES = List.of("oneOf", "anyOf");

  /** Takes everything, for routes that have no description. */
  static final RequestShape ANY = new RequestShape(Optional.empty(), MissingNode.getInstance());

  /**
   * Parameters of the query.
   *
   * @param lists those of them that may be repeated
   */
  private record Parameters(Set<String> names, Set<String> lists) {}

  /** Empty if any is taken. */
  private final Optional<Parameters> parameters;

  private final JsonNode body;

  private RequestShape(Optional<Parameters> parameters, JsonNode body) {
    this.parameters = parameters;
    this.body = body;
  }

  /**
   * Reads the shape of an operation.
   *
   * @param item the description of its path
   */
  static RequestShape of(JsonNode item, JsonNode operation) {
    Parameters query = new Parameters(new TreeSet<>(), new TreeSet<>());
    for (JsonNode list : List.of(item.path("parameters"), operation.path("parameters"))) {
      for (JsonNode each : list) {
        JsonNode parameter = resolved(each);
        if (parameter.path("in").asText().equals("query")) {
          JsonNode schema = resolved(parameter.path("schema"));
          String name = parameter.path("name").textValue();
          query.names().add(name);
          if (schema.path("type").asText().equals("array")) {
            query.lists().add(name);
          }
        }
      }
    }
    JsonNode media = resolved(operation.path("requestBody")).path("content");
    return new RequestShape(Optional.of(query), media.path("application/json").path("schema"));
  }

  /** Refuses parameters of the query that aren't described, or come more often than that says. */
  void requireKnown(Fields query) {
    if (parameters.isEmpty()) {
      return;
    }
    Set<String> known = parameters.get().names();
    Set<String> unknown = new TreeSet<>(query.getNames());
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw Call.invalid(
          "there is no parameter \"%s\" here; %s"
              .formatted(
                  unknown.iterator().next(),
                  known.isEmpty() ? "there are none" : "there are " + String.join(", ", known)));
    }
    for (Fields.Field field : query) {
      if (field.hasMultipleValues() && !parameters.get().lists().contains(field.getName())) {
        throw Call.invalid(
            "the parameter \"%s\" comes %d times, and takes one value; send it once"
                .formatted(field.getName(), field.getValues().size()));
      }
    }
  }

  /** Refuses members that aren't described, at any depth. */
  void requireKnownMembers(JsonNode given) {
    check("the body", given, body);
  }

  private static void check(String what, JsonNode given, JsonNode description) {
    JsonNode schema = chosen(given, resolved(description));
    if (given.isArray()) {
      for (JsonNode each : given) {
        check("an item of " + what, each, schema.path("items"));
      }
    } else if (given.isObject()) {
      checkMembers(what, given, schema);
    }
  }

  private static void checkMembers(String what, JsonNode given, JsonNode schema) {
    JsonNode properties = schema.path("properties");
    JsonNode others = schema.path("additionalProperties");
    boolean open =
        others.isMissingNode() ? properties.isEmpty() : !others.equals(BooleanNode.FALSE);
    for (Map.Entry<String, JsonNode> member : given.properties()) {
      String name = member.getKey();
      if (properties.has(name)) {
        check("\"" + name + "\"", member.getValue(), properties.path(name));
      } else if (open) {
        check("\"" + name + "\"", member.getValue(), others);
      } else {
        Set<String> known = new TreeSet<>();
        properties.fieldNames().forEachRemaining(known::add);
        throw Call.invalid(
            "%s has no member \"%s\"; there are %s"
                .formatted(what, name, String.join(", ", known)));
      }
    }
  }

  /** Returns the alternative that has the required members, the first one if none has. */
  private static JsonNode chosen(JsonNode given, JsonNode schema) {
    for (String word : ALTERNATIVES) {
      if (schema.has(word)) {
        List<JsonNode> all =
            StreamSupport.stream(schema.path(word).spliterator(), false)
                .map(ApiDescription::resolved)
                .toList();
        return all.stream().filter(each -> hasRequired(given, each)).findFirst().orElse(all.get(0));
      }
    }
    return schema;
  }

  private static boolean hasRequired(JsonNode given, JsonNode schema) {
    return StreamSupport.stream(schema.path("required").spliterator(), false)
        .allMatch(name -> given.has(name.textValue()));
  }
}
