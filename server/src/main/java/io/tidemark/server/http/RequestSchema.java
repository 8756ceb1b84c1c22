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
 * Schema of the query parameters and the body of an operation. Other parameters and members are
 * refused: if they were ignored, a misspelt one would silently change what the request does.
 *
 * @param parameters empty if any are accepted
 * @param body schema of the JSON body
 * @param needsBody whether a request without a body is refused
 */
record RequestSchema(Optional<Parameters> parameters, BodySchema body, boolean needsBody) {

  /** Schema that accepts everything, for routes without a description. */
  static final RequestSchema ANY = new RequestSchema(Optional.empty(), BodySchema.ANY, true);

  /**
   * Query parameters.
   *
   * @param lists names of those that may be repeated
   */
  record Parameters(Set<String> names, Set<String> lists) {}

  /**
   * Reads the schema of an operation.
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

  /** Refuses query parameters that aren't described, or are repeated although they aren't lists. */
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
