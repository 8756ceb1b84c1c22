// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.tidemark.server.http.ApiDescription;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Holds answers to what the description of the API promises. Every answer that a test gets through
 * {@link RunningServer} is held to it.
 */
public final class OpenApiResponseValidator {

  private static final JsonMapper JSON = new JsonMapper();
  private static final JsonNode DOCUMENT = ApiDescription.document();
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final Map<JsonNode, Schema> KNOWN = new ConcurrentHashMap<>();

  private static final Set<String> DESCRIBED = ignoringCase(ApiDescription.answerHeaders());

  /** Headers of any HTTP, which browsers deal with or show to every page. */
  private static final Set<String> HTTP =
      ignoringCase(
          List.of(
              "Cache-Control",
              "Connection",
              "Content-Encoding",
              "Content-Length",
              "Content-Security-Policy",
              "Content-Type",
              "Date",
              "Last-Modified",
              "Referrer-Policy",
              "Transfer-Encoding",
              "Vary",
              "X-Accel-Buffering",
              "X-Content-Type-Options"));

  private OpenApiResponseValidator() {}

  /** The document. */
  static JsonNode document() {
    return DOCUMENT;
  }

  /** Fails unless an answer is one that was promised. */
  public static void check(HttpRequest request, HttpResponse<String> response) {
    requireDescribedHeaders(response);
    check(
        request.method(),
        request.uri().getRawPath(),
        response.statusCode(),
        response.headers().firstValue("Content-Type"),
        response.body());
  }

  /** A header that isn't described can't be read by the page of an allowed origin either. */
  private static void requireDescribedHeaders(HttpResponse<String> response) {
    Set<String> unknown = ignoringCase(response.headers().map().keySet());
    unknown.removeAll(DESCRIBED);
    unknown.removeIf(
        name -> HTTP.contains(name) || name.toLowerCase(Locale.ROOT).startsWith("access-control-"));
    if (!unknown.isEmpty()) {
      throw new AssertionError(unknown + ": openapi.yaml describes no such headers");
    }
  }

  private static Set<String> ignoringCase(Collection<String> names) {
    Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    set.addAll(names);
    return set;
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
    String word =
        !responses.has(Integer.toString(status)) && status >= 400
            ? "default"
            : Integer.toString(status);
    JsonNode promised = resolved(responses.path(word));
    if (promised.isMissingNode()) {
      throw new AssertionError(what + ": openapi.yaml knows no such answer");
    }
    if (method.equals("HEAD")) {
      return;
    }
    String answer = method + " " + template.orElseThrow() + " " + word;
    JsonNode content = promised.path("content");
    if (status == 304 || type.isEmpty() || body.isEmpty()) {
      if (status != 304 && !content.isMissingNode() && type.isEmpty()) {
        throw new AssertionError(what + ": openapi.yaml promises a body");
      }
      ResponseCoverage.note(answer);
      return;
    }
    String plain = type.get().replaceAll(";.*", "").trim();
    JsonNode media = content.path(plain);
    if (media.isMissingNode()) {
      throw new AssertionError(what + ": openapi.yaml promises no " + plain);
    }
    boolean document = plain.equals("application/json") || plain.endsWith("+json");
    if (document && media.has("schema")) {
      validate(what, media.path("schema"), body);
    }
    ResponseCoverage.note(answer + " " + plain);
  }

  /** All answers that are promised: the operation, the status or default, and the media type. */
  static Set<String> all() {
    Set<String> all = new TreeSet<>();
    for (Map.Entry<String, JsonNode> path : DOCUMENT.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        String name = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
        for (Map.Entry<String, JsonNode> response :
            operation.getValue().path("responses").properties()) {
          String answer = name + " " + response.getKey();
          JsonNode content = resolved(response.getValue()).path("content");
          content.properties().forEach(media -> all.add(answer + " " + media.getKey()));
          if (content.isEmpty()) {
            all.add(answer);
          }
        }
      }
    }
    return all;
  }

  private static void validate(String what, JsonNode schema, String body) {
    Schema known = KNOWN.computeIfAbsent(schema, OpenApiResponseValidator::schema);
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

  static JsonNode resolved(JsonNode node) {
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
