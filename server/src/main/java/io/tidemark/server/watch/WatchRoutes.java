// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Outlet;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What moves, as a stream or for who asks again and again. */
public final class WatchRoutes {

  private static final String STREAM = "text/event-stream";
  private static final long LONGEST_WAIT = 60;

  private final Hub hub;

  public WatchRoutes(Hub hub) {
    this.hub = hub;
  }

  public List<Route> routes() {
    return List.of(new Route("GET", "/v1/watch", Need.some(Action.READ, Realm.NAMES), this::watch));
  }

  private Reply watch(Call call) {
    View view = View.of(call);
    boolean fromNow = fromNow(call);
    boolean stream = call.header("Accept").orElse("").toLowerCase(Locale.ROOT).contains(STREAM);
    // A browser comes back to the same address, which has an older id than the header.
    Optional<Position> after =
        call.header("Last-Event-ID")
            .filter(id -> stream && !id.isEmpty())
            .or(() -> call.query("after"))
            .map(Position::parse);
    Duration wait = Duration.ofSeconds(call.number("wait", 0, LONGEST_WAIT).orElse(30L));
    int atMost = call.number("limit", 1, call.limits().pageSize()).orElse(1000L).intValue();
    hub.requireRoom(call.caller());
    // Watchers begin only now: a HEAD request has none.
    if (stream) {
      return live(STREAM, outlet -> new StreamWatcher(hub, view, after, fromNow).begin(outlet));
    }
    return live(
        Reply.JSON,
        outlet ->
            new PollWatcher(hub, new Place(view, after, fromNow), after, wait, atMost)
                .begin(outlet));
  }

  private static Reply live(String type, Outlet.Source source) {
    return new Reply.Live(200, type, source, Reply.AT_ONCE);
  }

  private static boolean fromNow(Call call) {
    String from = call.query("from").orElse("start");
    if (!from.equals("start") && !from.equals("now")) {
      throw Call.invalid("the parameter from is start or now, unlike \"" + from + "\"");
    }
    return from.equals("now");
  }
}
