// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.ApiDescription;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.Lane;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.resources.Holdings;
import io.tidemark.server.resources.Writes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Whether the server lives and can work, and what it can do. */
public final class HealthRoutes {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration KEPT = Duration.ofSeconds(1);
  private static final String UNTOLD =
      "what the server works on can't be used; the server's log says why";

  private final Readiness readiness;
  private final Reply openApi =
      new Reply.Bytes(200, Reply.JSON, bytes(ApiDescription.document()), Map.of());
  private final String version = version();
  private final Writes writes;

  public HealthRoutes(Holdings holdings, Writes writes) {
    this.readiness = new Readiness(holdings, writes, PATIENCE, KEPT);
    this.writes = writes;
  }

  public List<Route> routes() {
    return Stream.of(
            new Route("GET", "/", Need.nothing(), new StartPage(version)::answer),
            new Route("GET", "/live", Need.nothing(), call -> Reply.ok(state("live"))),
            new Route("GET", "/ready", Need.nothing(), this::ready),
            new Route("GET", "/version", Need.nothing(), call -> told()),
            new Route("GET", "/openapi.json", Need.nothing(), call -> openApi),
            new Route("GET", "/v1/caller", Need.known(), HealthRoutes::caller))
        .map(route -> route.in(Lane.VITAL))
        .toList();
  }

  private static ObjectNode state(String word) {
    return JsonNodeFactory.instance.objectNode().put("status", word);
  }

  /**
   * Ready is a server whose store answers, and takes writes unless the server doesn't. Why it
   * doesn't may tell where it is, which strangers needn't know.
   */
  private Reply ready(Call call) {
    boolean told = call.caller().may(Action.READ, Realm.SERVER, "");
    try {
      return readiness
          .problem()
          .<Reply>map(why -> Reply.problem(Problem.of(503, "not-ready", told ? why : UNTOLD)))
          .orElseGet(() -> Reply.ok(readyState()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Reply.problem(Problem.of(503, "stopped", "the server is stopping"));
    }
  }

  private ObjectNode readyState() {
    return writes == Writes.TAKEN ? state("ready") : state("ready").put("read_only", true);
  }

  private static Reply caller(Call call) {
    ObjectNode told = JsonNodeFactory.instance.objectNode().put("name", call.caller().name());
    told.put("known", call.caller().isKnown());
    ArrayNode grants = told.putArray("grants");
    call.caller().grants().forEach(grant -> grants.add(grant.toString()));
    return Reply.ok(told);
  }

  private Reply told() {
    return Reply.ok(JsonNodeFactory.instance.objectNode().put("version", version).put("api", "v1"));
  }

  private static String version() {
    try (InputStream text =
        HealthRoutes.class.getResourceAsStream("/io/tidemark/server/version.txt")) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8)
          .strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }
}
