// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.server.Holdings;
import io.tidemark.server.access.Need;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** Whether the server lives and can work, and what it can do. */
public final class HealthRoutes {

  private final Holdings holdings;
  private final JsonNode openApi = openApi();

  public HealthRoutes(Holdings holdings) {
    this.holdings = holdings;
  }

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/live", Need.nothing(), call -> state("live")),
        new Route("GET", "/ready", Need.nothing(), call -> ready()),
        new Route("GET", "/openapi.json", Need.nothing(), call -> Reply.ok(openApi)));
  }

  private static Reply state(String word) {
    return Reply.ok(JsonNodeFactory.instance.objectNode().put("status", word));
  }

  /** Ready is a server whose store answers. */
  private Reply ready() {
    Object unused = holdings.names().marker().read(java.util.Optional.empty());
    return state("ready");
  }

  /** The description of the API. */
  public static JsonNode openApi() {
    try (InputStream yaml =
        HealthRoutes.class.getResourceAsStream("/io/tidemark/server/openapi.yaml")) {
      return new YAMLMapper().readTree(Objects.requireNonNull(yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
