// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.tidemark.server.health.HealthRoutes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Holds answers to what the description of the API promises. Every answer that a test gets through
 * {@link RunningServer} is held to it.
 */
public final class Promises {

  private static final JsonMapper JSON = new JsonMapper();
  private static final JsonNode DOCUMENT = HealthRoutes.openApi();
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final Map<JsonNode, Schema> KNOWN = new ConcurrentHashMap<>();

  private Promises() {}

  /** The document. */
  static JsonNode document() {
    return DOCUMENT;
  }

  /**
   * Fails unless an answer is one that was promised.
   *
   * @param path as it was sent, without the query
   * @param type the answer's media type; empty when it has no body
   */
  public static void check(
      String method, String path, int status, Optional<String> type, String body) {
    Optional<String> template = template(path);
    JsonNode item = template.map(t -> DOCUMENT.path("paths").path(t)).orElse(JSON.nullNode());
    String verb = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
    String what = method + " " + path + " -> " + status;
    if (!item.has(verb)) {
      if (status != 404 && status != 405 && status != 400) {
        throw new AssertionError(what + ": there is no such operation in openapi.yaml");
      }
      return;
    }
    JsonNode responses = item.path(verb).path("responses");
    JsonNode promised = resolved(responses.path(Integer.toString(status)));
    if (promised.isMissingNode() && status >= 400) {
      promised = resolved(responses.path("default"));
    }
    if (promised.isMissingNode()) {
      throw new AssertionError(what + ": openapi.yaml knows no such answer");
    }
    if (method.equals("HEAD") || status == 304) {
      return;
    }
    JsonNode content = promised.path("content");
    if (type.isEmpty() || body.isEmpty()) {
      if (!content.isMissingNode() && type.isEmpty()) {
        throw new AssertionError(what + ": openapi.yaml promises a body");
      }
      return;
    }
    String plain = type.get().replaceAll(";.*", "").trim();
    JsonNode media = content.path(plain);
    if (media.isMissingNode()) {
      throw new AssertionError(what + ": openapi.yaml promises no " + plain);
    }
    if (plain.endsWith("json") && media.has("schema")) {
      validate(what, media.path("schema"), body);
    }
  }

  private static void validate(String what, JsonNode schema, String body) {
    Schema known = KNOWN.computeIfAbsent(schema, Promises::schema);
    try {
      List<com.networknt.schema.Error> errors = known.validate(JSON.readTree(body));
      if (!errors.isEmpty()) {
        throw new AssertionError(what + ": not as openapi.yaml has it: " + errors + "\n" + body);
      }
    } catch (JsonProcessingException e) {
      throw new AssertionError(what + ": no JSON: " + body, e);
    }
  }

  /** References in a part of the document lead to its components, so these come along. */
  private static Schema schema(JsonNode part) {
    ObjectNode whole = JSON.createObjectNode();
    whole.putArray("allOf").add(part);
    whole.set("components", DOCUMENT.path("components"));
    return SCHEMAS.getSchema(whole);
  }

  private static JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? DOCUMENT.at(node.path("$ref").asText().substring(1)) : node;
  }

  /** The path of the document that a request was made to; one without parameters comes first. */
  private static Optional<String> template(String path) {
    return DOCUMENT.path("paths").properties().stream()
        .map(Map.Entry::getKey)
        .filter(template -> pattern(template).matcher(path).matches())
        .min((a, b) -> Integer.compare(braces(a), braces(b)));
  }

  private static int braces(String template) {
    return (int) template.chars().filter(c -> c == '{').count();
  }

  private static Pattern pattern(String template) {
    boolean open = template.startsWith("/v1/objects/");
    return Pattern.compile(template.replaceAll("\\{[^}]*}", open ? ".+" : "[^/]+"));
  }
}
