// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.Features;
import io.tidemark.names.NameService;
import io.tidemark.server.RequestGenerator.Made;
import io.tidemark.server.RequestGenerator.Operation;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Holds for all operations of the description, on a server that has everything. */
@ExtendWith(ServerExtension.class)
final class EveryOperationTest {

  private static final int REQUESTS = Boolean.getBoolean("soak") ? 25_000 : 4_000;

  @TempDir static Path directory;

  private static NameService names;
  private static Features features;
  private static RunningServer server;

  @BeforeAll
  static void start(PostgresServer postgres) {
    names = NameService.open(directory.resolve("data").toString());
    features = Features.open(postgres.createDatabase(), "store");
    server = new RunningServer(new ServerResources(names, names.objects(), Optional.of(features)));
  }

  @AfterAll
  static void stop() {
    server.close();
    features.close();
  }

  @Test
  void refusesAParameterThatIsNotDescribed() {
    Map<String, String> taken = new TreeMap<>();
    for (Operation operation : RequestGenerator.operations()) {
      HttpResponse<String> answer =
          server.send(operation.method(), path(operation) + "?prefx=x", "{}");
      if (answer.statusCode() != 400
          || !answer.body().contains("unknown parameter \\\"prefx\\\"")) {
        taken.put(operation.method() + " " + operation.path(), answer.body());
      }
    }
    assertThat(taken).isEmpty();
  }

  @Test
  void refusesAMemberThatIsNotDescribed() {
    Map<String, String> taken = new TreeMap<>();
    List<String> closed = new ArrayList<>();
    for (Operation operation : RequestGenerator.operations()) {
      if (isClosed(operation)) {
        closed.add(operation.path());
        String body = valid(operation).replaceFirst("}$", ", \"befor\": 1}").replace("{,", "{");
        HttpResponse<String> answer = server.send(operation.method(), path(operation), body);
        if (answer.statusCode() != 400 || !answer.body().contains("no member \\\"befor\\\"")) {
          taken.put(operation.method() + " " + operation.path(), answer.body());
        }
      }
    }
    assertThat(taken).isEmpty();
    assertThat(closed).hasSizeGreaterThan(30).contains("/v1/events/{namespace}/cleanup");
  }

  /** Whether the body is one object whose members are all described. */
  private static boolean isClosed(Operation operation) {
    JsonNode schema =
        OpenApiResponseValidator.resolved(
            operation.content().path("application/json").path("schema"));
    return schema.has("properties");
  }

  /** The members without which an operation may not come to the one that is in question. */
  private static String valid(Operation operation) {
    return operation.path().endsWith("/record") ? "{\"address\": \"db:main\"}" : "{}";
  }

  private static String path(Operation operation) {
    return operation
        .path()
        .replace("{address}", "db")
        .replace("{purpose}", "index")
        .replace("{concern}", "head")
        .replaceAll("\\{[^}]*}", "1");
  }

  @Test
  void noRequestMakesAServerFail() {
    Seed seed = Seed.of("EveryOperationTest");
    RequestGenerator generator = new RequestGenerator(seed.random(), meant());
    prepare();
    List<String> failed = new ArrayList<>();
    Map<Integer, Integer> statuses = new TreeMap<>();
    for (int i = 0; i < REQUESTS; i++) {
      Made made = generator.next();
      try {
        HttpResponse<String> answer = send(made);
        statuses.merge(answer.statusCode(), 1, Integer::sum);
        if (answer.statusCode() == 500) {
          failed.add(made + " -> " + answer.body());
        }
      } catch (AssertionError e) {
        failed.add(made + " -> " + e.getMessage());
      }
    }
    System.out.println(statuses);
    assertThat(failed).as("%s", seed).isEmpty();
    assertThat(statuses.get(200)).as("requests that were carried out").isGreaterThan(REQUESTS / 20);
    assertThat(server.get("/live").statusCode()).isEqualTo(200);
  }

  private static HttpResponse<String> send(Made made) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(made.path()))
            .method(made.method(), BodyPublishers.ofByteArray(made.body()));
    made.headers().forEach(request::header);
    try {
      return server.send(request.build());
    } catch (AssertionError e) {
      // A client may use a connection that the server just closes since it was idle for so long.
      if (e.getCause() instanceof IOException) {
        return server.send(request.build());
      }
      throw e;
    }
  }

  /** A ledger, a graph source, a collection and some events, which most requests are about. */
  private static void prepare() {
    ok(server.send("POST", "/v1/ledgers", "{\"ledger\": \"crm\"}"));
    ok(
        server.send(
            "POST",
            "/v1/ledgers/crm/commits",
            "{\"type\": \"Customer\", \"schema\": [%s], \"rows\": [%s]}"
                .formatted(
                    "{\"entity\": \"Customer\", \"key\": \"id\", \"fields\": {\"id\": \"string\","
                        + " \"age\": \"long\"}}",
                    "{\"id\": \"c1\", \"age\": 30}")));
    ok(server.send("POST", "/v1/names/db", ""));
    ok(server.send("PUT", "/v1/names/text/source", "{\"type\": \"x:T\", \"config\": {}}"));
    ok(server.send("PUT", "/v1/collections/c1", "{\"partitioned\": false}"));
    ok(
        server.send(
            "POST",
            "/v1/collections/c1/features",
            "{\"type\": \"Feature\", \"id\": \"1\", \"geometry\": null, \"properties\": {}}"));
    ok(server.send("POST", "/v1/events/n1/events", "{\"type\": \"t\", \"id\": \"e1\"}"));
  }

  private static void ok(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
  }

  private static Map<String, List<String>> meant() {
    List<String> records = List.of("crm", "crm:dev", "db", "db:main", "text", "new", "acme/x:y");
    String inside = directory.resolve("other").toString();
    List<String> places = List.of(inside, inside + "/deeper", "memory:", "ftp://x/y");
    return Map.ofEntries(
        entry("address", records),
        entry("ledger", records),
        entry("local", records),
        entry("there", records),
        entry("prefix", List.of("", "c", "ledgers/", "acme/")),
        entry("branch", List.of("dev", "main", "b2")),
        entry("source", List.of("dev", "main")),
        entry("from", List.of("1", "0", "head", "dev", "start", "now")),
        entry("to", List.of("1", "head", "dev@1")),
        entry("objects", places),
        entry("location", places),
        entry("remote", List.of("origin", "backup")),
        entry("origin", List.of("origin", "backup")),
        entry("key", List.of("ledgers/none/x", "events/n2/x", "sessions/n2/y")),
        entry("collection", List.of("c1", "c2")),
        entry("collections", List.of("c1", "c2")),
        entry("namespace", List.of("n1", "n2")),
        entry("id", List.of("1", "2", "e1", "c1")),
        entry("ids", List.of("1", "2")),
        entry("events", List.of("e1", "e2")),
        entry("type", List.of("Customer", "entity:Customer", "t", "relation:Uses", "Feature")),
        entry("handler", List.of("h1", "h2")),
        entry("session", List.of("s1", "s2")),
        entry("holder", List.of("me", "you")),
        entry("sql", List.of("SELECT * FROM Customer", "SELECT 1/0", "SELEC", "SELECT ?", "")),
        entry("where", List.of("age > 30", "age >", "p.a=1", "id = 'c1'")),
        entry("order", List.of("age desc", "id", "-p.a", "nope")),
        entry("groupBy", List.of("age", "nope")),
        entry("aggregate", List.of("count")),
        entry("bbox", List.of("1,2,3,4", "1,2,3", "NaN,0,0,0", "181,0,1e9,0")),
        entry("near", List.of("1,2,3", "1,2,-3", "200,100,1")),
        entry("geometry", List.of("{\"type\":\"Point\",\"coordinates\":[1,2]}", "{}", "x")),
        entry("tile", List.of("012", "9", "0123012301230123012301230123")),
        entry("hereTile", List.of("012", "9")),
        entry("moment", List.of("1", "2026-01-01T00:00:00Z", "0")),
        entry("at", List.of("1", "2026-01-01T00:00:00Z", "0")),
        entry("asOf", List.of("1", "2026-01-01T00:00:00Z", "0")),
        entry("meta", List.of("a=b", "=", "a")),
        entry("If-Match", List.of("\"1\"", "\"\"", "\"", "*", "\"a\", \"b\"", "x")),
        entry("If-None-Match", List.of("*", "\"1\"", "\"\"")),
        entry("Idempotency-Key", List.of("k1", "k2", "k3", "x".repeat(256))),
        entry("create", List.of("{}", "{\"partitioned\":false}", "{\"x\":1}", "[")),
        entry("delimiter", List.of(",", ";", ",,")),
        entry(
            "object",
            List.of(
                "{}",
                "{\"id\":\"c1\",\"age\":31}",
                "{\"id\":\"c2\"}",
                "{\"id\":\"x\",\"t\":3}",
                "{\"type\":\"Feature\",\"id\":\"2\",\"geometry\":null,\"properties\":{}}",
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1e9]}}",
                "{\"entity\":\"Customer\",\"key\":\"id\",\"fields\":{\"id\":\"string\"}}",
                "{\"entity\":\"T\",\"key\":\"nope\",\"fields\":{\"id\":\"strin\"}}",
                "{\"avg\":\"age\"}",
                "{\"state\":\"ready\"}")));
  }
}
