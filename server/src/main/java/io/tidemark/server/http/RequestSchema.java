// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import static io.tidemark.server.http.ApiDescription.resolved;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.util.Fields;

/**
 * Query parameters and body that an operation takes, by its description. Any other parameter or
 * member is refused: ignored, a misspelt one would change what the request does without a word.
 *
 * @param parameters empty if any is taken
 * @param body schema of the JSON body
 * @param needsBody whether a request without a body is refused
 */
record RequestSchema(Optional<Parameters> parameters, BodySchema body, boolean needsBody) {

  /** Takes everything, for routes that have no description. */
  static final RequestSchema ANY = new RequestSchema(Optional.empty(), BodySchema.ANY, true);

  /**
   * Parameters of the query.
   *
   * @param lists those of them that may be repeated
   */
  record Parameters(Set<String> names, Set<String> lists) {}

  /**
   * Reads the shape of an operation.
   *
   * @param item the description of its path
   */
  static RequestSchema of(JsonNode item, JsonNode operation) {
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
    JsonNode body = resolved(operation.path("requestBody"));
    JsonNode schema = body.path("content").path("application/json").path("schema");
    return new RequestSchema(
        Optional.of(query), BodySchema.of(schema), body.path("required").asBoolean());
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
      throw HttpRequestContext.invalid(
          "unknown parameter \"%s\"; %s"
              .formatted(
                  unknown.iterator().next(),
                  known.isEmpty()
                      ? "this operation takes none"
                      : "this operation takes " + String.join(", ", known)));
    }
    for (Fields.Field field : query) {
      if (field.hasMultipleValues() && !parameters.get().lists().contains(field.getName())) {
        throw HttpRequestContext.invalid(
            "the parameter \"%s\" comes %d times, and takes one value; send it once"
                .formatted(field.getName(), field.getValues().size()));
      }
    }
  }
}
