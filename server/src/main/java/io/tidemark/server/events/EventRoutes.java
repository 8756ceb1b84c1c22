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
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
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
  private final EventTails tails = new EventTails();

  public EventRoutes(Optional<EventBusService> bus) {
    this.bus = bus;
  }

  public List<Route> routes() {
    return Stream.concat(own(), new SubscriptionRoutes(this::events).routes()).toList();
  }

  private Stream<Route> own() {
    return Stream.of(
        new Route("GET", ALL, Need.some(Action.READ, Realm.EVENTS), this::namespaces),
        new Route("GET", ONE + "/events", need(Action.READ), this::list),
        new Route("POST", ONE + "/events", need(Action.WRITE), this::publish),
        new Route("GET", ONE + "/events/{id}", need(Action.READ), this::show),
        new Route("POST", ONE + "/events/{id}/replay", need(Action.WRITE), this::replay),
        new Route("GET", ONE + "/tail", need(Action.READ), this::follow),
        new Route("POST", ONE + "/claims", need(Action.WRITE), this::claim),
        new Route("POST", ONE + "/settlements", need(Action.WRITE), this::settle),
        new Route("GET", ONE + "/dead-letters", need(Action.READ), this::deadLetters),
        new Route("GET", ONE + "/sessions", need(Action.READ), this::sessions),
        new Route("POST", ONE + "/cleanup", need(Action.ADMIN), this::cleanUp));
  }

  static Need need(Action action) {
    return Need.of(action, Realm.EVENTS, "namespace");
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

  private EventService events(Call call) {
    return bus().namespace(call.path("namespace"));
  }

  private EventArchiveService archive(Call call) {
    return events(call).archive();
  }

  private Reply namespaces(Call call) {
    List<NamespaceStats> readable =
        bus().namespaces().stream()
            .filter(each -> call.caller().may(Action.READ, Realm.EVENTS, each.namespace()))
            .toList();
    return Reply.ok(
        PageToken.pageOf(
            call, readable, NamespaceStats::namespace, each -> (ObjectNode) WireJson.tree(each)));
  }

  private Reply list(Call call) {
    return page(
        archive(call)
            .list(
                new EventListRequest(
                    call.queries("type"),
                    call.query("status").map(EventRoutes::state),
                    call.pageSize(),
                    PageToken.of(call))));
  }

  private static EventState state(String word) {
    return Arrays.stream(EventState.values())
        .filter(state -> state.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Call.invalid(
                    "status must be pending, claimed, acked or dead_lettered, got \""
                        + word
                        + '"'));
  }

  /** Publishes one event, or several in {@code events}; each is stored on its own. */
  private Reply publish(Call call) throws IOException {
    ObjectNode body = call.body();
    EventService events = events(call);
    if (!body.has("events")) {
      return Reply.ok(WireJson.tree(published(events, List.of(read(call, body, 0))).get(0)));
    }
    if (!(body.path("events") instanceof ArrayNode list) || body.size() > 1) {
      throw Call.invalid("the body is an event, or {\"events\": [...]} and nothing else");
    }
    if (list.size() > call.limits().pageSize()) {
      throw Call.invalid(
          "the body has more than " + call.limits().pageSize() + " events; send fewer at a time");
    }
    List<PublishRequest> all = new ArrayList<>(); // all are read before the first is published
    for (JsonNode each : list) {
      if (!(each instanceof ObjectNode event)) {
        throw Call.invalid("events are objects, unlike " + each.getNodeType());
      }
      all.add(read(call, event, all.size()));
    }
    return items(published(events, all));
  }

  /**
   * Reads an event. If it has no id, one is made of the idempotency key of its request, so that it
   * is one event however often, and to whichever server, the request is sent.
   */
  private static PublishRequest read(Call call, ObjectNode json, int place) {
    PublishRequest event = PublishRequest.read(json);
    Optional<String> key = call.idempotencyKey();
    return event.id().isPresent() || key.isEmpty()
        ? event
        : event.withId(
            Optional.of(
                EventIds.of(
                    call.caller().identity(),
                    call.path("namespace"),
                    key.get(),
                    Integer.toString(place),
                    json.toString())));
  }

  /** Publishes; an unknown outcome is harmless if every event has an id. */
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

  private Reply show(Call call) {
    return Reply.ok(WireJson.tree(archive(call).show(call.path("id"))));
  }

  private Reply replay(Call call) {
    Optional<String> key =
        call.idempotencyKey().map(given -> EventIds.of(call.caller().identity(), given));
    return Reply.ok(WireJson.tree(archive(call).replay(call.path("id"), key)));
  }

  private Reply follow(Call call) {
    FollowRequest request =
        FollowRequest.fromNow()
            .withTypes(call.queries("type"))
            .withSince(call.query("since").map(EventRoutes::moment));
    return tails.reply(call, () -> events(call).follow(request));
  }

  private static Instant moment(String text) {
    return UtcTimestamp.parse(text)
        .orElseThrow(
            () ->
                Call.invalid(
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
      SettleRequest.As as,
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
      throw Call.invalid("\"lease\" and \"lease_seconds\" are the same; give the second");
    }
    return lease.or(() -> older);
  }

  private Reply claim(Call call) throws IOException {
    return items(events(call).claim(call.body(ClaimBody.class).request()));
  }

  private Reply settle(Call call) throws IOException {
    return items(events(call).settle(call.body(SettleBody.class).request()));
  }

  private Reply deadLetters(Call call) {
    return page(archive(call).deadLetters(call.pageSize(), PageToken.of(call)));
  }

  private Reply sessions(Call call) {
    return page(archive(call).sessions(call.pageSize(), PageToken.of(call)));
  }

  private Reply cleanUp(Call call) throws IOException {
    return Reply.ok(WireJson.tree(archive(call).cleanup(call.body(EventCleanupRequest.class))));
  }

  static Reply items(List<?> items) {
    return page(new Page<>(items, Optional.empty()));
  }

  private static Reply page(Page<?> page) {
    return Reply.ok(
        PageToken.page(page.items().stream().map(WireJson::tree).toList(), page.next()));
  }

  /** Ends streams, which would never end by themselves. */
  @Override
  public void close() {
    tails.close();
  }
}
