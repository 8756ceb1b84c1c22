// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.remotes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.Connection;
import io.tidemark.client.Request;
import io.tidemark.names.Address;
import io.tidemark.remotes.RemoteName;
import io.tidemark.remotes.Remotes.Other;
import io.tidemark.remotes.Upstream;
import io.tidemark.remotes.view.RemotesView.Move;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Forwarding;
import io.tidemark.server.http.ProgressStream;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The remotes of another server, for one that keeps nothing itself: the other one fetches, pulls
 * and pushes, when it is asked here.
 *
 * <p>It does so for this server, whoever asks; so what a caller may do, and to which places, is
 * looked at here as on a server that does it itself.
 */
public final class ForwardedRemotes {

  /** What takes as long as copying takes. */
  private static final Set<String> MOVING =
      Set.of(RemoteRoutes.PUSH, RemoteRoutes.PULL, RemoteRoutes.CLONE);

  private final Connection upstream;
  private final Forwarding forwarding;
  private final RemotePlaces places;

  public ForwardedRemotes(Connection upstream, RemotePlaces places) {
    this.upstream = upstream;
    this.forwarding = new Forwarding(upstream);
    this.places = places;
  }

  /** The same routes as of a server that has remotes. */
  public List<Route> routes(List<Route> own) {
    return own.stream().map(route -> route.passedOn(call -> answer(call, route))).toList();
  }

  private Reply answer(Call call, Route route) throws IOException {
    Request request = Forwarding.request(call, route);
    Optional<ObjectNode> body = body(call, route);
    Request whole = body.isPresent() ? request.json(body.get()) : request;
    return isLong(call, route)
        ? forwarding.answerPatiently(call, whole)
        : forwarding.answer(call, whole);
  }

  /** Lines come at once, and keep coming; a server that is silent isn't there. */
  private static boolean isLong(Call call, Route route) {
    return route.template().equals(RemoteRoutes.FETCH)
        || (MOVING.contains(route.template()) && !ProgressStream.isAccepted(call));
  }

  /** What is sent along, of a request that may be made. */
  private Optional<ObjectNode> body(Call call, Route route) throws IOException {
    return switch (route.template()) {
      case RemoteRoutes.PUSH -> Optional.of(moved(call, RemoteRoutes.pushed(call)));
      case RemoteRoutes.PULL -> Optional.of(moved(call, RemoteRoutes.pulled(call)));
      case RemoteRoutes.CLONE -> Optional.of(cloned(RemoteRoutes.cloned(call, places)));
      case RemoteRoutes.FETCH -> {
        requirePlace(call, new RemoteName(call.path("remote")));
        yield Optional.empty();
      }
      default ->
          route.method().equals("PUT")
              ? Optional.of(
                  JsonNodeFactory.instance
                      .objectNode()
                      .put("location", RemoteRoutes.added(call, places)))
              : Optional.empty();
    };
  }

  private ObjectNode moved(Call call, Move move) {
    Other other = move.other();
    other
        .remote()
        .ifPresentOrElse(
            remote -> requirePlace(call, remote), () -> requirePlaceOf(call, move.local()));
    return JsonNodeFactory.instance
        .objectNode()
        .put("local", move.local().toString())
        .put("remote", other.remote().map(RemoteName::text).orElse(null))
        .put("there", other.address().map(Address::toString).orElse(null))
        .put("follow", move.follow());
  }

  private static ObjectNode cloned(RemoteRoutes.Cloned wanted) {
    Upstream pair = wanted.pair();
    return JsonNodeFactory.instance
        .objectNode()
        .put("location", wanted.location())
        .put("there", pair.there().toString())
        .put("local", pair.local().toString())
        .put("origin", pair.remote().text());
  }

  /** A remote that is known there may have been entered by somebody who may more than callers. */
  private void requirePlace(Call call, RemoteName name) {
    if (places.places().isPresent()) {
      Request request = Request.get("v1", "remotes", name.text()).query("limit", "1");
      places.require(asked(call, request).path("location").asText());
    }
  }

  private void requirePlaceOf(Call call, Address local) {
    if (places.places().isEmpty()) {
      return;
    }
    for (JsonNode remote : asked(call, Request.get("v1", "remotes")).path("items")) {
      for (JsonNode each : remote.path("upstreams")) {
        if (each.path("local").asText().equals(local.toString())) {
          places.require(remote.path("location").asText());
        }
      }
    }
  }

  private JsonNode asked(Call call, Request request) {
    return upstream.send(Forwarding.onward(call, request)).orThrow().json();
  }
}
