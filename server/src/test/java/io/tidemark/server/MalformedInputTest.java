// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.NameService;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * In every parameter of every operation, of its path and of its query, in every text of a body and
 * in headers, what nobody means.
 */
@Timeout(300)
final class MalformedInputTest {

  private static final List<String> TRICKS =
      List.of(
          "..",
          ".",
          "../..",
          "..%2F..%2Fetc%2Fpasswd",
          "%2e%2e",
          "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
          "%252e%252e%252f",
          "..%5c..%5cwindows",
          "%2Fetc%2Fpasswd",
          "//",
          "a//b",
          "a;x=y",
          "..;/..;/",
          "%00",
          "a%00.json",
          "%0d%0aX-Injected:%20yes",
          "%ff%fe",
          "%c0%ae%c0%ae%c0%af",
          "%ed%a0%80",
          "%",
          "%zz",
          "%u002e",
          "'%20OR%20'1'='1",
          "x';DROP%20TABLE%20a;--",
          "%22%7d%5d",
          "$%7Bjndi:ldap:%2F%2F127.0.0.1%2Fa%7D",
          "%7B%7B7*7%7D%7D",
          "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
          "a".repeat(5000),
          "-1",
          "9223372036854775808",
          "NaN",
          "%E2%80%AE",
          "CON",
          "~root");

  /** What stands between the quotes of a text in JSON. */
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "..",
          "../../../etc/passwd",
          "/etc/passwd",
          "..\\\\..\\\\windows",
          "file:///etc/passwd",
          "http://127.0.0.1:1/",
          "s3://x/../y",
          "a//b:c:d",
          "\\u0000",
          "a\\u0000.json",
          "\\r\\nX-Injected: yes",
          "\\ud800",
          "\\u202e",
          "' OR '1'='1",
          "x'; DROP TABLE a; --",
          "\\\"}]",
          "${jndi:ldap://127.0.0.1/a}",
          "%s%n%d",
          "a".repeat(70_000),
          "-1",
          "9223372036854775808",
          "1e999999999",
          "NaN",
          "+999999999-12-31T23:59:59Z",
          "[hidden]",
          "~root");

  private static final List<String> HEADERS =
      List.of(
          "Idempotency-Key",
          "Tidemark-Sent-Before",
          "Last-Event-ID",
          "Tidemark-Author",
          "Tidemark-App",
          "Tidemark-Attempt",
          "X-Request-Id",
          "If-Match",
          "If-None-Match",
          "Accept",
          "Content-Type",
          "Content-Encoding",
          "traceparent");

  private static final String TRICK = "@trick@";
  private static final int DEEPEST = 4;

  private static final Pattern PARAMETER = Pattern.compile("\\{([^}.]+)(\\.\\.\\.)?}");
  private static final Pattern TELLTALE =
      Pattern.compile("(?i)exception|\\bat (io|java|org|com)\\.|root:|jetty|text/html");

  private static final boolean SOAK = Boolean.getBoolean("soak");

  private int turns;

  @Test
  void nothingFailsNothingIsToldAndNothingIsWrittenElsewhere(@TempDir Path directory)
      throws IOException {
    Path data = Files.createDirectories(directory.resolve("a/b/data"));
    List<String> wrong = new ArrayList<>();
    int asked = 0;
    try (NameService names = NameService.open(data.toString());
        TidemarkServer server =
            TidemarkServer.start(
                ServerSettings.standard().withPort(0),
                ServerResources.of(names),
                AccessControl.localOnly())) {
      for (Route route : server.routes().all()) {
        for (String target : targets(route)) {
          asked++;
          check(server, new Asked(route, target), wrong);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(asked).isGreaterThanOrEqualTo(TRICKS.size());
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile)).allMatch(file -> file.startsWith(data));
    }
  }

  /** As somebody who may do anything that can be granted, on a server that asks. */
  @Test
  void bodiesAndHeadersAreNoWayAroundEither(@TempDir Path directory) throws IOException {
    Path data = Files.createDirectories(directory.resolve("a/b/data"));
    Path tokens = directory.resolve("a/b/data/tokens");
    TokenRecord.NewToken newToken =
        TokenRecord.create(
            "anna", Grant.parse("read,write,lock,admin:*"), Instant.now(), Optional.empty());
    new TokenFile(tokens).add(newToken.token());
    AccessSettings access = AccessSettings.none().withTokens(tokens);
    List<String> wrong = new ArrayList<>();
    int asked = 0;
    try (NameService names = NameService.open(data.toString());
        TidemarkServer server =
            TidemarkServer.start(
                ServerSettings.standard().withPort(0).withAccess(access),
                ServerResources.of(names),
                AccessControl.of(access))) {
      String token = "Authorization: Bearer " + newToken.secret() + "\r\n";
      makeLedger(server, token);
      for (Route route : server.routes().all()) {
        for (String body : bodies(schema(route), DEEPEST)) {
          for (String text : some(TEXTS, 9)) {
            asked++;
            String tricky = body.replace(TRICK, text);
            check(server, new Asked(route, harmless(route.template()), token, tricky), wrong);
          }
        }
      }
      for (Route route : server.routes().all()) { // these may take the ledger away
        for (String header : HEADERS) {
          for (int i = 0; i < (SOAK ? 5 : 1); i++) {
            asked++;
            String trick = TRICKS.get(turns++ % TRICKS.size());
            String line = token + header + ": " + trick + "\r\n";
            check(server, new Asked(route, harmless(route.template()), line, "{}"), wrong);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(asked).isGreaterThanOrEqualTo(TRICKS.size());
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile)).allMatch(file -> file.startsWith(data));
    }
  }

  /** The one that harmless paths name, so that bodies are looked at. */
  private static void makeLedger(TidemarkServer server, String token) {
    String type = "{\"entity\":\"x\",\"key\":\"x\",\"fields\":{\"x\":\"string\"}}";
    Map<String, String> bodies = new LinkedHashMap<>();
    bodies.put("/v1/ledgers", "{\"ledger\":\"x\"}");
    bodies.put(
        "/v1/ledgers/x/commits",
        "{\"type\":\"x\",\"schema\":%s,\"rows\":[{\"x\":\"x\"}]}".formatted(type));
    bodies.forEach(
        (target, body) -> {
          Route any =
              new Route(
                  "POST",
                  target,
                  RequiredPermission.none(),
                  httpRequestContext -> RouteResponse.empty(204));
          try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
            rawHttpClient.send(new Asked(any, target, token, body).text());
            assertThat(RawHttpClient.status(rawHttpClient.rest())).isEqualTo(201);
          }
        });
  }

  /**
   * What is sent.
   *
   * @param headers whole lines
   */
  private record Asked(Route route, String target, String headers, String body) {
    Asked(Route route, String target) {
      this(route, target, "", "{}");
    }

    String text() {
      byte[] sent = route.method().equals("GET") ? new byte[0] : body.getBytes(UTF_8);
      return "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s"
          .formatted(route.method(), target, headers, sent.length, new String(sent, ISO_8859_1));
    }

    @Override
    public String toString() {
      String all =
          "%s %s %s %s"
              .formatted(route.method(), target, headers.replaceAll("Bearer .*", ""), body);
      return all.substring(0, Math.min(400, all.length()));
    }
  }

  private static void check(TidemarkServer server, Asked shown, List<String> wrong) {
    Route route = shown.route();
    try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(shown.text());
      String answer = rawHttpClient.rest();
      int status = RawHttpClient.status(answer);
      boolean guessed = !answer.contains("X-Content-Type-Options: nosniff");
      if (status == 0 || status == 500 || guessed || answer.contains("\r\nX-Injected")) {
        wrong.add(shown + ": " + answer.substring(0, Math.min(400, answer.length())));
      }
      boolean telling = TELLTALE.matcher(answer).find() && !route.template().contains("openapi");
      if (telling) {
        wrong.add(shown + " tells " + answer);
      }
    }
  }

  /**
   * What to ask: tricks in each parameter, with harmless values in the others. In the ordinary
   * build each parameter gets some of them, and the next one the next.
   */
  private List<String> targets(Route route) {
    List<String> targets = new ArrayList<>();
    Matcher matcher = PARAMETER.matcher(route.template());
    while (matcher.find()) {
      String before = harmless(route.template().substring(0, matcher.start()));
      String after = harmless(route.template().substring(matcher.end()));
      some(TRICKS, 4).forEach(trick -> targets.add(before + trick + after));
    }
    for (String query : queries(route)) {
      String path = harmless(route.template());
      some(TRICKS, 9).forEach(trick -> targets.add(path + "?" + query + "=" + trick));
    }
    return targets;
  }

  private List<String> some(List<String> tricks, int part) {
    int turn = turns++;
    return IntStream.range(0, tricks.size())
        .filter(i -> SOAK || i % part == turn % part)
        .mapToObj(tricks::get)
        .toList();
  }

  /** What the description says of the body of an operation; nothing when it has none in JSON. */
  private static JsonNode schema(Route route) {
    JsonNode content = resolved(operation(route).path("requestBody")).path("content");
    JsonNode json = content.path("application/json");
    return (json.isMissingNode() ? content.path("application/geo+json") : json).path("schema");
  }

  /** Bodies with a trick in the place of one text, and no more around it than has to be. */
  private static List<String> bodies(JsonNode given, int depth) {
    JsonNode schema = resolved(given);
    List<String> bodies = new ArrayList<>();
    if (schema.isMissingNode() || depth == 0) {
      return bodies;
    }
    for (String choice : List.of("oneOf", "anyOf", "allOf")) {
      schema.path(choice).forEach(each -> bodies.addAll(bodies(each, depth)));
    }
    if (takes(schema, "string")) {
      bodies.add('"' + TRICK + '"');
    }
    bodies(schema.path("items"), depth - 1).forEach(item -> bodies.add("[" + item + "]"));
    if (schema.path("additionalProperties").isObject()) {
      bodies.add("{\"" + TRICK + "\": " + harmless(schema.path("additionalProperties")) + "}");
      bodies(schema.path("additionalProperties"), depth - 1)
          .forEach(value -> bodies.add("{\"x\": " + value + "}"));
    }
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      for (String value : bodies(member.getValue(), depth - 1)) {
        bodies.add(object(schema, member.getKey(), value));
      }
    }
    return bodies;
  }

  /** With all that is required, and one member more. */
  private static String object(JsonNode schema, String member, String value) {
    List<String> members = new ArrayList<>();
    for (JsonNode required : schema.path("required")) {
      if (!required.asText().equals(member)) {
        members.add(
            "\"%s\": %s"
                .formatted(
                    required.asText(),
                    harmless(schema.path("properties").path(required.asText()))));
      }
    }
    if (!member.isEmpty()) {
      members.add("\"%s\": %s".formatted(member, value));
    }
    return "{" + String.join(", ", members) + "}";
  }

  private static boolean takes(JsonNode schema, String type) {
    JsonNode types = schema.path("type");
    return types.asText().equals(type)
        || StreamSupport.stream(types.spliterator(), false)
            .anyMatch(each -> each.asText().equals(type));
  }

  private static String harmless(JsonNode given) {
    JsonNode schema = resolved(given);
    if (schema.has("const") || schema.has("enum")) {
      return schema.path("enum").path(0).isMissingNode()
          ? schema.path("const").toString()
          : schema.path("enum").path(0).toString();
    }
    for (String choice : List.of("oneOf", "anyOf")) {
      if (schema.has(choice)) {
        return harmless(schema.path(choice).path(0));
      }
    }
    if (takes(schema, "integer") || takes(schema, "number")) {
      return "1";
    }
    if (takes(schema, "boolean")) {
      return "false";
    }
    if (takes(schema, "array")) {
      return "[" + harmless(schema.path("items")) + "]";
    }
    return takes(schema, "object") ? object(schema, "", "") : "\"x\"";
  }

  private static JsonNode resolved(JsonNode node) {
    return node.has("$ref")
        ? resolved(OpenApiResponseValidator.document().at(node.path("$ref").asText().substring(1)))
        : node;
  }

  private static JsonNode operation(Route route) {
    String path = PARAMETER.matcher(route.template()).replaceAll("{$1}");
    return OpenApiResponseValidator.document()
        .path("paths")
        .path(path)
        .path(route.method().toLowerCase(Locale.ROOT));
  }

  private static String harmless(String template) {
    return PARAMETER.matcher(template).replaceAll("x");
  }

  private static Set<String> queries(Route route) {
    Set<String> names = new TreeSet<>();
    String path = PARAMETER.matcher(route.template()).replaceAll("{$1}");
    JsonNode item = OpenApiResponseValidator.document().path("paths").path(path);
    JsonNode operation = item.path(route.method().toLowerCase(Locale.ROOT));
    for (JsonNode list : List.of(item.path("parameters"), operation.path("parameters"))) {
      for (JsonNode one : list) {
        JsonNode parameter =
            one.has("$ref")
                ? OpenApiResponseValidator.document().at(one.path("$ref").asText().substring(1))
                : one;
        if (parameter.path("in").asText().equals("query")) {
          names.add(parameter.path("name").asText());
        }
      }
    }
    return names;
  }
}
