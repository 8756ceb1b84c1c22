// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.EventSchedule;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.EventSubscriptionService;
import io.tidemark.api.events.PublishRequest;
import io.tidemark.api.events.SubscribeRequest;
import io.tidemark.events.source.NameChanges;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Routes of webhooks and schedules; changing them takes the right of an administrator. */
final class SubscriptionRoutes {

  private static final String WEBHOOKS = EventRoutes.ONE + "/subscriptions";
  private static final String SCHEDULES = EventRoutes.ONE + "/schedules";

  private final Function<Call, EventService> events;

  SubscriptionRoutes(Function<Call, EventService> events) {
    this.events = events;
  }

  Stream<Route> routes() {
    return Stream.of(
        new Route("GET", WEBHOOKS, EventRoutes.need(Action.READ), this::subscriptions),
        new Route("POST", WEBHOOKS, EventRoutes.need(Action.ADMIN), this::subscribe),
        new Route(
            "DELETE", WEBHOOKS + "/{handler}", EventRoutes.need(Action.ADMIN), this::unsubscribe),
        new Route("GET", SCHEDULES, EventRoutes.need(Action.READ), this::schedules),
        new Route("PUT", SCHEDULES + "/{name}", EventRoutes.need(Action.ADMIN), this::schedule),
        new Route(
            "DELETE", SCHEDULES + "/{name}", EventRoutes.need(Action.ADMIN), this::unschedule));
  }

  private EventSubscriptionService service(Call call) {
    return events.apply(call).subscriptions();
  }

  private Reply subscriptions(Call call) {
    return EventRoutes.items(service(call).subscriptions());
  }

  /** Takes the right to read all names, too, if their changes are subscribed to. */
  private Reply subscribe(Call call) throws IOException {
    SubscribeRequest request = call.body(SubscribeRequest.class);
    if (request.types().stream().anyMatch(NameChanges::publishes)) {
      call.caller().require(Action.READ, Realm.NAMES, "");
    }
    return Reply.ok(WireJson.tree(service(call).subscribe(request)));
  }

  private Reply unsubscribe(Call call) {
    service(call).unsubscribe(call.path("handler"));
    return Reply.empty(204);
  }

  private Reply schedules(Call call) {
    return EventRoutes.items(service(call).schedules());
  }

  /** Body of a schedule, whose name is in the path. */
  record ScheduleBody(
      String cron, String type, @Nullable JsonNode payload, Optional<Integer> priority) {

    EventSchedule named(String name) {
      return new EventSchedule(
          name,
          cron,
          type,
          payload == null ? JsonNodeFactory.instance.objectNode() : payload,
          priority.orElse(PublishRequest.STANDARD_PRIORITY));
    }
  }

  private Reply schedule(Call call) throws IOException {
    service(call).schedule(call.body(ScheduleBody.class).named(call.path("name")));
    return Reply.empty(204);
  }

  private Reply unschedule(Call call) {
    service(call).unschedule(call.path("name"));
    return Reply.empty(204);
  }
}
