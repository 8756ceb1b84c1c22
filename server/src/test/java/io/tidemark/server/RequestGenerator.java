// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;

/**
 * Makes requests to all operations of the description of the API: with values that fit, with ones
 * at the edge, of other types, and of no sense. The same generator makes the same requests.
 */
final class RequestGenerator {

  private static final JsonMapper JSON = new JsonMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final List<String> ODD =
      List.of(
          "",
          " ",
          "\"\"",
          "*",
          "%",
          "null",
          "-1",
          "0",
          "2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "1e400",
          "NaN",
          "a b",
          "../..",
          "a:b:c",
          "\u00fc\u2192\ud83d\ude00",
          "\u202e",
          "'; DROP TABLE x; --",
          "x".repeat(300),
          "{\"a\":1}",
          "[1,2]",
          "2026-02-30T00:00:00Z");

  private static final List<JsonNode> ODD_JSON =
      List.of(
          NODES.nullNode(),
          NODES.booleanNode(true),
          NODES.textNode(""),
          NODES.textNode("x"),
          NODES.textNode("\u0000"),
          NODES.numberNode(-1),
          NODES.numberNode(0),
          NODES.numberNode(2147483648L),
          NODES.numberNode(Long.MAX_VALUE),
          NODES.numberNode(BigInteger.ONE.shiftLeft(64)),
          NODES.numberNode(new BigDecimal("1e300")),
          NODES.numberNode(new BigDecimal("1.5")),
          NODES.objectNode(),
          NODES.objectNode().put("a", 1),
          NODES.arrayNode(),
          NODES.arrayNode().add(1).add("x").addNull());

  /** Texts that mean something, by the names of the parameters and members that they stand in. */
  private final Map<String, List<String>> meant;

  private final List<Operation> operations;
  private final RandomGenerator random;

  /**
   * An operation of the description.
   *
   * @param item the description of its path
   */
  record Operation(String method, String path, JsonNode item, JsonNode description) {

    /** All parameters that are in one place: the path, the query or the header. */
    List<JsonNode> parameters(String place) {
      List<JsonNode> all = new ArrayList<>();
      for (JsonNode list : List.of(item.path("parameters"), description.path("parameters"))) {
        for (JsonNode each : list) {
          JsonNode parameter = OpenApiResponseValidator.resolved(each);
          if (parameter.path("in").asText().equals(place)) {
            all.add(parameter);
          }
        }
      }
      return all;
    }

    /** The media types of the body; empty if it has none. */
    JsonNode content() {
      return OpenApiResponseValidator.resolved(description.path("requestBody")).path("content");
    }
  }

  /** A request. */
  @SuppressWarnings("ArrayRecordComponent") // made to be sent, and never compared
  record Made(String method, String path, Map<String, String> headers, byte[] body) {
    @Override
    public String toString() {
      String text = new String(body, StandardCharsets.UTF_8);
      return method + " " + path + " " + headers + " " + text;
    }
  }

  RequestGenerator(RandomGenerator random, Map<String, List<String>> meant) {
    this.random = random;
    this.meant = Map.copyOf(meant);
    this.operations = operations();
  }

  /** All operations that are described. */
  static List<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    Set<String> verbs = Set.of("get", "put", "post", "delete", "patch");
    for (Map.Entry<String, JsonNode> path :
        OpenApiResponseValidator.document().path("paths").properties()) {
      for (Map.Entry<String, JsonNode> each : path.getValue().properties()) {
        if (verbs.contains(each.getKey())) {
          String method = each.getKey().toUpperCase(Locale.ROOT);
          all.add(new Operation(method, path.getKey(), path.getValue(), each.getValue()));
        }
      }
    }
    return all;
  }

  Made next() {
    Operation operation = operations.get(random.nextInt(operations.size()));
    Map<String, String> headers = new TreeMap<>();
    for (JsonNode header : operation.parameters("header")) {
      if (oneIn(4) && !header.path("name").asText().equals("Content-Length")) {
        String value = text(header.path("name").asText(), header.path("schema"));
        headers.put(header.path("name").asText(), value.replaceAll("[^ -~]", "?"));
      }
    }
    byte[] body = body(operation, headers);
    String method = operation.method.equals("GET") && oneIn(10) ? "HEAD" : operation.method;
    return new Made(method, path(operation) + query(operation), headers, body);
  }

  private String path(Operation operation) {
    String path = operation.path;
    for (JsonNode parameter : operation.parameters("path")) {
      String name = parameter.path("name").asText();
      String value = text(name, parameter.path("schema"));
      path = path.replace("{" + name + "}", encoded(value.isEmpty() ? "x" : value));
    }
    return path;
  }

  private String query(Operation operation) {
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    for (JsonNode parameter : operation.parameters("query")) {
      String name = parameter.path("name").asText();
      // Without it the answer comes only when something happens.
      if (name.equals("wait")) {
        query.add("wait=" + List.of("0", "0s", "0ms", "x", "-1").get(random.nextInt(5)));
      } else if (oneIn(3)) {
        query.add(name + "=" + encoded(text(name, parameter.path("schema"))));
      }
    }
    return query.toString();
  }

  private byte[] body(Operation operation, Map<String, String> headers) {
    List<String> types = new ArrayList<>();
    operation.content().fieldNames().forEachRemaining(types::add);
    if (types.isEmpty()) {
      return new byte[0];
    }
    String type = types.get(random.nextInt(types.size()));
    headers.put("Content-Type", type);
    JsonNode schema = operation.content().path(type).path("schema");
    byte[] bytes =
        switch (random.nextInt(20)) {
          case 0 -> new byte[0];
          case 1 -> "{\"a\":".getBytes(StandardCharsets.UTF_8);
          case 2 -> new byte[] {(byte) 0xff, 0, (byte) 0xc3, 10};
          case 3 -> odd().toString().getBytes(StandardCharsets.UTF_8);
          default -> json("", schema, 0).toString().getBytes(StandardCharsets.UTF_8);
        };
    if (headers.getOrDefault("Content-Encoding", "").equals("gzip") && oneIn(2)) {
      return zipped(bytes);
    }
    return bytes;
  }

  private static byte[] zipped(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** A value for a parameter. */
  private String text(String name, JsonNode schema) {
    if (oneIn(6) && !isPlace(name)) {
      return ODD.get(random.nextInt(ODD.size()));
    }
    JsonNode value = json(name, schema, 0);
    JsonNode one = value.isArray() && !value.isEmpty() ? value.get(0) : value;
    return one.isValueNode() ? one.asText() : one.toString();
  }

  /** Where something is stored must be within the test, whatever else it is. */
  private static boolean isPlace(String name) {
    return name.equals("objects") || name.equals("location");
  }

  private JsonNode odd() {
    return ODD_JSON.get(random.nextInt(ODD_JSON.size()));
  }

  private JsonNode json(String name, JsonNode given, int depth) {
    JsonNode schema = OpenApiResponseValidator.resolved(given);
    if (isPlace(name)) {
      return NODES.textNode(meant(name).orElseThrow());
    }
    if (depth > 0 && oneIn(12)) {
      return odd();
    }
    if (name.equals("numbers")) {
      return NODES.textNode("number"); // the description has numbers where they are numbers
    }
    if (schema.has("enum")) {
      return schema.path("enum").get(random.nextInt(schema.path("enum").size()));
    }
    for (String word : List.of("oneOf", "anyOf")) {
      if (schema.has(word)) {
        JsonNode all = schema.path(word);
        return json(name, all.get(random.nextInt(all.size())), depth);
      }
    }
    return switch (type(schema)) {
      case "object" -> object(schema, depth);
      case "array" -> array(name, schema, depth);
      case "integer" -> NODES.numberNode(integer(name, schema));
      case "number" -> NODES.numberNode(random.nextInt(200) / 100.0 - 0.5);
      case "boolean" -> NODES.booleanNode(random.nextBoolean());
      case "null" -> NODES.nullNode();
      default -> NODES.textNode(meant(name).orElseGet(() -> ODD.get(random.nextInt(ODD.size()))));
    };
  }

  private String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    return type.isArray() ? type.get(random.nextInt(type.size())).asText() : type.asText("string");
  }

  private long integer(String name, JsonNode schema) {
    long least = schema.path("minimum").asLong(0);
    return switch (random.nextInt(8)) {
      case 0 -> least;
      case 1 -> schema.path("maximum").asLong(Integer.MAX_VALUE);
      case 2 -> least - 1;
      case 3 -> Long.MAX_VALUE;
      default -> least + random.nextInt(name.equals("minAgeSeconds") ? 10 : 5);
    };
  }

  private ObjectNode object(JsonNode schema, int depth) {
    ObjectNode json = NODES.objectNode();
    Set<String> required = new java.util.TreeSet<>();
    schema.path("required").forEach(each -> required.add(each.asText()));
    for (Map.Entry<String, JsonNode> each : schema.path("properties").properties()) {
      if (required.contains(each.getKey()) ? !oneIn(15) : oneIn(3)) {
        json.set(each.getKey(), json(each.getKey(), each.getValue(), depth + 1));
      }
    }
    if (schema.path("properties").isEmpty()) {
      return parsed(meant("object").orElseThrow());
    }
    return json;
  }

  private ArrayNode array(String name, JsonNode schema, int depth) {
    ArrayNode list = NODES.arrayNode();
    int size = random.nextInt(3) + (depth == 0 ? 1 : 0);
    for (int i = 0; i < size; i++) {
      list.add(json(name, schema.path("items"), depth + 1));
    }
    return list;
  }

  private Optional<String> meant(String name) {
    return Optional.ofNullable(meant.get(name)).map(all -> all.get(random.nextInt(all.size())));
  }

  private static ObjectNode parsed(String text) {
    try {
      return (ObjectNode) JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
