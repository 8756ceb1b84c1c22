// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * OpenAPI description of the API, which {@code /openapi.json} serves and requests are validated
 * against.
 */
public final class ApiDescription {

  /** The document, read once for all servers of a process. */
  private static final JsonNode DOCUMENT = read();

  private ApiDescription() {}

  /** Returns the document, which is shared and must not be changed. */
  public static JsonNode document() {
    return DOCUMENT;
  }

  private static JsonNode read() {
    try (InputStream yaml =
        ApiDescription.class.getResourceAsStream("/io/tidemark/server/openapi.yaml")) {
      return new YAMLMapper().readTree(Objects.requireNonNull(yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the schema of requests to a route.
   *
   * @throws IllegalStateException if the description lacks the route
   */
  static RequestSchema shape(Route route) {
    String path = route.template().replace("...}", "}");
    JsonNode item = DOCUMENT.path("paths").path(path);
    JsonNode operation = item.path(route.method().toLowerCase(Locale.ROOT));
    if (operation.isMissingNode()) {
      throw new IllegalStateException(route + " isn't in openapi.yaml; describe it there");
    }
    return RequestSchema.of(item, operation);
  }

  /** Returns the headers that requests may have. */
  static Set<String> requestHeaders() {
    return DOCUMENT.findParents("in").stream()
        .filter(parameter -> parameter.path("in").asText().equals("header"))
        .map(parameter -> parameter.path("name").textValue())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the headers that answers may have, besides the standard headers of HTTP. */
  public static Set<String> answerHeaders() {
    Set<String> names = new TreeSet<>();
    DOCUMENT
        .findValues("headers")
        .forEach(headers -> headers.fieldNames().forEachRemaining(names::add));
    return names;
  }

  /** Returns a node, or the node that its reference points to. */
  static JsonNode resolved(JsonNode node) {
    JsonNode found = node;
    while (found.has("$ref")) {
      found = DOCUMENT.at(found.path("$ref").textValue().substring(1));
    }
    return found;
  }
}
