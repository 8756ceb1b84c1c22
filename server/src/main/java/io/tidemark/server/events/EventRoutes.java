// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.EventArchiveService;
import io.tidemark.api.events.EventBusService;
import io.tidemark.api.events.EventClaimRequest;
import io.tidemark.api.events.EventCleanupRequest;
import io.tidemark.api.events.EventListRequest;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.EventState;
import io.tidemark.api.events.FollowRequest;
import io.tidemark.api.events.NamespaceStats;
import io.tidemark.api.events.PublishRequest;
import io.tidemark.api.events.PublishedEvent;
import io.tidemark.api.events.SettleRequest;
import io.tidemark.events.model.EventIds;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Routes of events. */
public final class EventRoutes implements AutoCloseable {

  private static final String ALL = "/v1/events";
  static final String ONE = ALL + "/{namespace}";

  private final Optional<EventBusService> bus;
  private final EventTailStreams tails = new EventTailStreams();

  public EventRoutes(Optional<EventBusService> bus) {
    this.bus = bus;
  }

  public List<Route> routes() {
    return Stream.concat(own(), new SubscriptionRoutes(this::events).routes()).toList();
  }

  private Stream<Route> own() {
    return Stream.of(
        new Route(
            "GET",
            ALL,
            RequiredPermission.onAny(Action.READ, ResourceType.EVENTS),
            this::namespaces),
        new Route("GET", ONE + "/events", permission(Action.READ), this::list),
        new Route("POST", ONE + "/events", permission(Action.WRITE), this::publish),
        new Route("GET", ONE + "/events/{id}", permission(Action.READ), this::show),
        new Route("POST", ONE + "/events/{id}/replay", permission(Action.WRITE), this::replay),
        new Route("GET", ONE + "/tail", permission(Action.READ), this::follow),
        new Route("POST", ONE + "/claims", permission(Action.WRITE), this::claim),
        new Route("POST", ONE + "/settlements", permission(Action.WRITE), this::settle),
        new Route("GET", ONE + "/dead-letters", permission(Action.READ), this::deadLetters),
        new Route("GET", ONE + "/sessions", permission(Action.READ), this::sessions),
        new Route("POST", ONE + "/cleanup", permission(Action.ADMIN), this::cleanUp));
  }

  static RequiredPermission permission(Action action) {
    return RequiredPermission.of(action, ResourceType.EVENTS, "namespace");
  }

  private EventBusService bus() {
    return bus.orElseThrow(
        () ->
            new ProblemException(
                Problem.of(
                    404,
                    "no-events",
                    "this server has no events, since its names are in no object store; start"
                        + " it with --objects to say where they are")));
  }

  private EventService events(HttpRequestContext httpRequestContext) {
    return bus().namespace(httpRequestContext.path("namespace"));
  }

  private EventArchiveService archive(HttpRequestContext httpRequestContext) {
    return events(httpRequestContext).archive();
  }

  private RouteResponse namespaces(HttpRequestContext httpRequestContext) {
    List<NamespaceStats> readable =
        bus().namespaces().stream()
            .filter(
                each ->
                    httpRequestContext
                        .caller()
                        .may(Action.READ, ResourceType.EVENTS, each.namespace()))
            .toList();
    return RouteResponse.ok(
        Pagination.pageOf(
            httpRequestContext,
            readable,
            NamespaceStats::namespace,
            each -> (ObjectNode) WireJson.tree(each)));
  }

  private RouteResponse list(HttpRequestContext httpRequestContext) {
    return page(
        archive(httpRequestContext)
            .list(
                new EventListRequest(
                    httpRequestContext.queries("type"),
                    httpRequestContext.query("status").map(EventRoutes::state),
                    httpRequestContext.pageSize(),
                    Pagination.of(httpRequestContext))));
  }

  private static EventState state(String word) {
    return Arrays.stream(EventState.values())
        .filter(state -> state.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                HttpRequestContext.invalid(
                    "status must be pending, claimed, acked or dead_lettered, got \""
                        + word
                        + '"'));
  }

  /** Publishes one event, or several in {@code events}; each is stored on its own. */
  private RouteResponse publish(HttpRequestContext httpRequestContext) throws IOException {
    ObjectNode body = httpRequestContext.body();
    EventService events = events(httpRequestContext);
    if (!body.has("events")) {
      return RouteResponse.ok(
          WireJson.tree(published(events, List.of(read(httpRequestContext, body, 0))).get(0)));
    }
    if (!(body.path("events") instanceof ArrayNode list) || body.size() > 1) {
      throw HttpRequestContext.invalid(
          "the body is an event, or {\"events\": [...]} and nothing else");
    }
    if (list.size() > httpRequestContext.limits().pageSize()) {
      throw HttpRequestContext.invalid(
          "the body has more than "
              + httpRequestContext.limits().pageSize()
              + " events; send fewer at a time");
    }
    List<PublishRequest> all = new ArrayList<>(); // all are read before the first is published
    for (JsonNode each : list) {
      if (!(each instanceof ObjectNode event)) {
        throw HttpRequestContext.invalid("events are objects, unlike " + each.getNodeType());
      }
      all.add(read(httpRequestContext, event, all.size()));
    }
    return items(published(events, all));
  }

  /**
   * Reads an event. An event without an id gets one that is derived from the idempotency key of its
   * request. So it is one event however often, and to whichever server, the request is sent.
   */
  private static PublishRequest read(
      HttpRequestContext httpRequestContext, ObjectNode json, int place) {
    PublishRequest event = PublishRequest.read(json);
    Optional<String> key = httpRequestContext.idempotencyKey();
    return event.id().isPresent() || key.isEmpty()
        ? event
        : event.withId(
            Optional.of(
                EventIds.of(
                    httpRequestContext.caller().identity(),
                    httpRequestContext.path("namespace"),
                    key.get(),
                    Integer.toString(place),
                    json.toString())));
  }

  /** Publishes events. An unknown outcome is harmless if every event has an id. */
  private static List<PublishedEvent> published(EventService events, List<PublishRequest> all) {
    try {
      return events.publish(all);
    } catch (OutcomeUnknownException e) {
      if (all.stream().anyMatch(event -> event.id().isEmpty())) {
        throw e;
      }
      throw new StoreUnavailableException(
          "it is unknown whether all events were published; send the same request again, which"
              + " can't publish an event twice",
          e);
    }
  }

  private RouteResponse show(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(
        WireJson.tree(archive(httpRequestContext).show(httpRequestContext.path("id"))));
  }

  private RouteResponse replay(HttpRequestContext httpRequestContext) {
    Optional<String> key =
        httpRequestContext
            .idempotencyKey()
            .map(given -> EventIds.of(httpRequestContext.caller().identity(), given));
    return RouteResponse.ok(
        WireJson.tree(archive(httpRequestContext).replay(httpRequestContext.path("id"), key)));
  }

  private RouteResponse follow(HttpRequestContext httpRequestContext) {
    FollowRequest request =
        FollowRequest.fromNow()
            .withTypes(httpRequestContext.queries("type"))
            .withSince(httpRequestContext.query("since").map(EventRoutes::moment));
    return tails.reply(httpRequestContext, () -> events(httpRequestContext).follow(request));
  }

  private static Instant moment(String text) {
    return UtcTimestamp.parse(text)
        .orElseThrow(
            () ->
                HttpRequestContext.invalid(
                    "since must be a time like 2026-11-19T14:30:00Z, got \"" + text + '"'));
  }

  /** Body of a claim; {@code lease} is the older name of {@code lease_seconds}. */
  record ClaimBody(
      String handler,
      Optional<String> session,
      List<String> types,
      Optional<Integer> limit,
      Optional<Long> leaseSeconds,
      Optional<Long> lease) {

    EventClaimRequest request() {
      return new EventClaimRequest(
          handler,
          session.or(() -> Optional.of("http-" + UUID.randomUUID())),
          types,
          limit,
          seconds(leaseSeconds, lease));
    }
  }

  /** Body of a settlement; {@code lease} is the older name of {@code lease_seconds}. */
  record SettleBody(
      SettleRequest.SettleKind as,
      String handler,
      String session,
      List<String> events,
      Optional<String> error,
      Optional<Long> leaseSeconds,
      Optional<Long> lease) {

    SettleRequest request() {
      return new SettleRequest(as, handler, session, events, error, seconds(leaseSeconds, lease));
    }
  }

  private static Optional<Long> seconds(Optional<Long> lease, Optional<Long> older) {
    if (lease.isPresent() && older.isPresent()) {
      throw HttpRequestContext.invalid(
          "\"lease\" and \"lease_seconds\" are the same; give the second");
    }
    return lease.or(() -> older);
  }

  private RouteResponse claim(HttpRequestContext httpRequestContext) throws IOException {
    return items(
        events(httpRequestContext).claim(httpRequestContext.body(ClaimBody.class).request()));
  }

  private RouteResponse settle(HttpRequestContext httpRequestContext) throws IOException {
    return items(
        events(httpRequestContext).settle(httpRequestContext.body(SettleBody.class).request()));
  }

  private RouteResponse deadLetters(HttpRequestContext httpRequestContext) {
    return page(
        archive(httpRequestContext)
            .deadLetters(httpRequestContext.pageSize(), Pagination.of(httpRequestContext)));
  }

  private RouteResponse sessions(HttpRequestContext httpRequestContext) {
    return page(
        archive(httpRequestContext)
            .sessions(httpRequestContext.pageSize(), Pagination.of(httpRequestContext)));
  }

  private RouteResponse cleanUp(HttpRequestContext httpRequestContext) throws IOException {
    return RouteResponse.ok(
        WireJson.tree(
            archive(httpRequestContext)
                .cleanup(httpRequestContext.body(EventCleanupRequest.class))));
  }

  static RouteResponse items(List<?> items) {
    return page(new Page<>(items, Optional.empty()));
  }

  private static RouteResponse page(Page<?> page) {
    return RouteResponse.ok(
        Pagination.page(page.items().stream().map(WireJson::tree).toList(), page.next()));
  }

  /** Ends streams, which have no end of their own. */
  @Override
  public void close() {
    tails.close();
  }
}
