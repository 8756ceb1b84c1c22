// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.PushChannel;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Routes of changes, as a stream or for polling. */
public final class WatchRoutes {

  private static final String STREAM = "text/event-stream";
  private static final long LONGEST_WAIT = 60;

  private final WatchHub watchHub;

  public WatchRoutes(WatchHub watchHub) {
    this.watchHub = watchHub;
  }

  public List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/v1/watch",
            RequiredPermission.onAny(Action.READ, ResourceType.NAMES),
            this::watch));
  }

  private RouteResponse watch(HttpRequestContext httpRequestContext) {
    WatchView watchView = WatchView.of(httpRequestContext);
    boolean fromNow = fromNow(httpRequestContext);
    boolean stream =
        httpRequestContext.header("Accept").orElse("").toLowerCase(Locale.ROOT).contains(STREAM);
    // A browser reconnects to the same address, whose id is older than that in the header.
    Optional<Position> after =
        httpRequestContext
            .header("Last-Event-ID")
            .filter(id -> stream && !id.isEmpty())
            .or(() -> httpRequestContext.query("after"))
            .map(Position::parse);
    Duration wait =
        Duration.ofSeconds(httpRequestContext.number("wait", 0, LONGEST_WAIT).orElse(30L));
    int atMost =
        httpRequestContext
            .number("limit", 1, httpRequestContext.limits().pageSize())
            .orElse(1000L)
            .intValue();
    watchHub.requireRoom(httpRequestContext.caller());
    // Watchers are created only when the answer is written, so a HEAD request creates none.
    if (stream) {
      return live(
          STREAM,
          pushChannel -> new StreamWatcher(watchHub, watchView, after, fromNow).begin(pushChannel));
    }
    return live(
        RouteResponse.JSON,
        pushChannel ->
            new PollWatcher(
                    watchHub, new ClientCursor(watchView, after, fromNow), after, wait, atMost)
                .begin(pushChannel));
  }

  private static RouteResponse live(String type, PushChannel.Producer producer) {
    return new RouteResponse.Push(200, type, producer, RouteResponse.AT_ONCE);
  }

  private static boolean fromNow(HttpRequestContext httpRequestContext) {
    String from = httpRequestContext.query("from").orElse("start");
    if (!from.equals("start") && !from.equals("now")) {
      throw HttpRequestContext.invalid(
          "the parameter from is start or now, unlike \"" + from + "\"");
    }
    return from.equals("now");
  }
}
