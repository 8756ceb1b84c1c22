// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.Delivery;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.Sessions;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Cleanup;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.Interest;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NamespaceInfo;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Publication;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.events.model.UnknownEventException;
import io.tidemark.events.view.Ended;
import io.tidemark.events.view.EventView;
import io.tidemark.events.view.GivenEvent;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Events of a namespace. */
public final class EventRoutes {

  private static final String ALL = "/v1/events";
  private static final String ONE = ALL + "/{namespace}";
  private static final String LEASE = "lease_seconds";
  private static final int MOST_CLAIMED = 100;

  /** Between the parts of where a page begins, which have none. */
  private static final String PLACE = " ";

  private static final long LONGEST_AGE = Duration.ofDays(3650).toSeconds();

  private final Buses buses;

  public EventRoutes(Buses buses) {
    this.buses = buses;
  }

  public List<Route> routes() {
    return List.of(
        new Route("GET", ALL, Need.some(Action.READ, Realm.EVENTS), this::namespaces),
        new Route("GET", ONE + "/events", need(Action.READ), this::list),
        new Route("POST", ONE + "/events", need(Action.WRITE), this::publish),
        new Route("GET", ONE + "/events/{id}", need(Action.READ), this::show),
        new Route("POST", ONE + "/events/{id}/replay", need(Action.WRITE), this::replay),
        new Route("POST", ONE + "/claims", need(Action.WRITE), this::claim),
        new Route("POST", ONE + "/settlements", need(Action.WRITE), this::settle),
        new Route("GET", ONE + "/dead-letters", need(Action.READ), this::deadLetters),
        new Route("GET", ONE + "/sessions", need(Action.READ), this::sessions),
        new Route("POST", ONE + "/cleanup", need(Action.ADMIN), this::cleanUp));
  }

  private static Need need(Action action) {
    return Need.of(action, Realm.EVENTS, "namespace");
  }

  private Namespace namespace(Call call) {
    return buses.any().namespace(call.path("namespace"));
  }

  private Reply namespaces(Call call) {
    List<NamespaceInfo> readable =
        buses.any().namespaces().stream()
            .filter(each -> call.caller().may(Action.READ, Realm.EVENTS, each.namespace()))
            .sorted(Comparator.comparing(NamespaceInfo::namespace))
            .toList();
    return Reply.ok(PageToken.pageOf(call, readable, NamespaceInfo::namespace, EventView::json));
  }

  /** The newest; the page behind has those before them. */
  private Reply list(Call call) {
    Set<String> types = Set.copyOf(call.queries("type"));
    Optional<String> status = call.query("status");
    Namespace namespace = namespace(call);
    int size = call.pageSize();
    List<ListedEvent> found =
        PageToken.of(call)
            .map(EventRoutes::place)
            .map(first -> namespace.listBefore(moment(first[0]), first[1], size + 1))
            .orElseGet(() -> namespace.list(size + 1));
    List<ListedEvent> page = found.subList(Math.max(0, found.size() - size), found.size());
    Optional<String> next =
        page.size() < found.size()
            ? Optional.of(page.get(0).createdAt() + PLACE + page.get(0).id())
            : Optional.empty();
    return Reply.ok(
        PageToken.page(
            page.stream()
                .filter(each -> status.isEmpty() || status.get().equals(each.status().word()))
                .filter(each -> types.isEmpty() || isOf(types, each))
                .map(each -> EventView.json(namespace.name(), each))
                .toList(),
            next));
  }

  /** The two parts of where a page begins. */
  private static String[] place(String cursor) {
    String[] parts = cursor.split(PLACE, -1);
    if (parts.length != 2) {
      throw foreign();
    }
    return parts;
  }

  private static Instant moment(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw foreign();
    }
  }

  private static ProblemException foreign() {
    return Call.invalid("the cursor is none of this listing's; begin without one");
  }

  private static boolean isOf(Set<String> types, ListedEvent event) {
    return event.event().map(Event::type).filter(types::contains).isPresent();
  }

  /** One event, or several in {@code events}; each is stored on its own. */
  private Reply publish(Call call) throws IOException {
    ObjectNode body = call.body();
    Namespace namespace = namespace(call);
    if (!body.has("events")) {
      return Reply.ok(EventView.json(published(namespace, read(call, body, 0))));
    }
    if (!(body.path("events") instanceof ArrayNode list) || body.size() > 1) {
      throw Call.invalid("the body is an event, or {\"events\": [...]} and nothing else");
    }
    if (list.size() > call.limits().pageSize()) {
      throw Call.invalid(
          "the body has more than " + call.limits().pageSize() + " events; send fewer at a time");
    }
    List<NewEvent> all = new ArrayList<>(); // all are read before the first is published
    for (JsonNode each : list) {
      if (!(each instanceof ObjectNode event)) {
        throw Call.invalid("events are objects, unlike " + each.getNodeType());
      }
      all.add(read(call, event, all.size()));
    }
    List<ObjectNode> published = new ArrayList<>();
    for (NewEvent event : all) {
      published.add(EventView.json(published(namespace, event)));
    }
    return items(published);
  }

  /**
   * An event as it was given. One without an id has one that is made of the key of its request, if
   * that has any: so it is one event however often, and to whichever server, it is sent.
   */
  private static NewEvent read(Call call, ObjectNode json, int place) {
    NewEvent event = GivenEvent.read(json, Event.USUAL_PRIORITY);
    Optional<String> key = call.idempotencyKey();
    return event.id().isPresent() || key.isEmpty()
        ? event
        : event.withId(
            EventIds.of(
                call.caller().identity(),
                call.path("namespace"),
                key.get(),
                Integer.toString(place),
                json.toString()));
  }

  /** Publishes; that nobody knows whether it was does no harm to an event with an id. */
  private static Publication published(Namespace namespace, NewEvent event) {
    try {
      return namespace.publish(event);
    } catch (OutcomeUnknownException e) {
      if (event.id().isEmpty()) {
        throw e;
      }
      throw new StoreUnavailableException(
          "the event %s may have been published or not; send the same request again, which can't"
                  .formatted(event.id().get())
              + " publish it twice",
          e);
    }
  }

  private Reply show(Call call) {
    String id = call.path("id");
    return namespace(call)
        .inspect(id)
        .map(found -> Reply.ok(EventView.json(found)))
        .orElseThrow(
            () ->
                new UnknownEventException(
                    "there is no event " + id + " in " + call.path("namespace")));
  }

  private Reply replay(Call call) {
    String id = call.path("id");
    Optional<String> again =
        call.idempotencyKey()
            .map(key -> EventIds.of(call.caller().identity(), call.path("namespace"), key, id));
    return Reply.ok(EventView.replayed(id, namespace(call).replay(id, again)));
  }

  private Reply claim(Call call) throws IOException {
    ObjectNode body = call.body();
    EventBus bus = buses.withLease(lease(body));
    String[] types = texts(body, "types");
    Interest interest = types.length == 0 ? Interest.all() : Interest.in(types);
    String session = body.has("session") ? Call.text(body, "session") : "http-" + UUID.randomUUID();
    int limit = (int) number(body, "limit", 1, 1, MOST_CLAIMED);
    List<Delivery> claimed =
        bus.namespace(call.path("namespace"))
            .claim(new ClaimRequest(Call.text(body, "handler"), interest, limit, session));
    return items(claimed.stream().map(EventView::json).toList());
  }

  /** Acknowledges, releases, gives up or renews what a session has claimed. */
  private Reply settle(Call call) throws IOException {
    ObjectNode body = call.body();
    Ended.Way way = way(Call.text(body, "as"));
    String handler = Call.text(body, "handler");
    String session = Call.text(body, "session");
    String error = body.has("error") ? Call.text(body, "error") : "";
    String[] ids = texts(body, "events");
    if (ids.length == 0 || ids.length > MOST_CLAIMED) {
      throw Call.invalid("the body needs \"events\", 1 to " + MOST_CLAIMED + " ids");
    }
    Namespace namespace = buses.withLease(lease(body)).namespace(call.path("namespace"));
    List<ObjectNode> ended = new ArrayList<>();
    for (String id : ids) {
      Ended.Held held = new Ended.Held(id, handler, session);
      ended.add(Ended.settle(namespace, held, way, error).json());
    }
    return items(ended);
  }

  /** In seconds. The member was called "lease" before it had the name that locks have for it. */
  private static long lease(ObjectNode body) {
    if (body.has("lease") && body.has(LEASE)) {
      throw Call.invalid("\"lease\" and \"" + LEASE + "\" are the same; give the second");
    }
    return number(body, body.has("lease") ? "lease" : LEASE, 30, 1, 3600);
  }

  private static Ended.Way way(String word) {
    for (Ended.Way way : Ended.Way.values()) {
      if (way.name().toLowerCase(Locale.ROOT).equals(word)) {
        return way;
      }
    }
    throw Call.invalid("\"as\" is ack, release, give_up or renew, unlike \"" + word + "\"");
  }

  private Reply deadLetters(Call call) {
    int most = call.pageSize() + 1;
    Namespace namespace = namespace(call);
    List<DeadLetter> found =
        PageToken.of(call)
            .map(EventRoutes::place)
            .map(last -> namespace.deadLettersAfter(last[0], last[1], most))
            .orElseGet(() -> namespace.deadLetters(most));
    return Reply.ok(
        PageToken.page(
            call, found, last -> last.eventId() + PLACE + last.handlerId(), EventView::json));
  }

  private Reply sessions(Call call) {
    int most = call.pageSize() + 1;
    Sessions sessions = namespace(call).sessions();
    List<SessionInfo> found =
        PageToken.of(call)
            .map(last -> sessions.listAfter(last, most))
            .orElseGet(() -> sessions.list(most));
    return Reply.ok(PageToken.page(call, found, SessionInfo::sessionId, EventView::json));
  }

  /** Ages are in seconds. */
  private Reply cleanUp(Call call) throws IOException {
    ObjectNode body = call.body();
    EventBus bus = buses.any();
    Instant now = bus.store().clock().instant();
    Cleanup wanted = Cleanup.before(now.minus(age(body, "before", Duration.ofDays(7))));
    wanted = body.path("force").asBoolean() ? wanted.with(Cleanup.Unfinished.DELETE) : wanted;
    wanted =
        body.has("dead_letters")
            ? wanted.withDeadLettersBefore(now.minus(age(body, "dead_letters", Duration.ZERO)))
            : wanted;
    wanted =
        body.has("sessions")
            ? wanted.withSessionsBefore(now.minus(age(body, "sessions", Duration.ZERO)))
            : wanted;
    Namespace namespace = namespace(call);
    return Reply.ok(EventView.json(namespace.name(), wanted.before(), namespace.cleanup(wanted)));
  }

  private static Duration age(ObjectNode body, String member, Duration usual) {
    return Duration.ofSeconds(number(body, member, usual.toSeconds(), 0, LONGEST_AGE));
  }

  private static long number(
      ObjectNode body, String member, long usual, long least, long greatest) {
    return Call.number(body, member, least, greatest).orElse(usual);
  }

  private static String[] texts(ObjectNode body, String member) {
    JsonNode value = body.path(member);
    if (value.isMissingNode()) {
      return new String[0];
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode each : value) {
      if (!each.isTextual()) {
        throw Call.invalid("\"" + member + "\" is a list of texts");
      }
      texts.add(each.textValue());
    }
    if (!value.isArray()) {
      throw Call.invalid("\"" + member + "\" is a list of texts");
    }
    return texts.toArray(String[]::new);
  }

  private static Reply items(List<ObjectNode> items) {
    return Reply.ok(PageToken.page(items, Optional.empty()));
  }
}
