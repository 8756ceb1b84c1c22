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
import io.tidemark.events.source.NameChangeEventSource;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Routes of webhooks and schedules; changing them requires the right of an administrator. */
final class SubscriptionRoutes {

  private static final String WEBHOOKS = EventRoutes.ONE + "/subscriptions";
  private static final String SCHEDULES = EventRoutes.ONE + "/schedules";

  private final Function<HttpRequestContext, EventService> events;

  SubscriptionRoutes(Function<HttpRequestContext, EventService> events) {
    this.events = events;
  }

  Stream<Route> routes() {
    return Stream.of(
        new Route("GET", WEBHOOKS, EventRoutes.permission(Action.READ), this::subscriptions),
        new Route("POST", WEBHOOKS, EventRoutes.permission(Action.ADMIN), this::subscribe),
        new Route(
            "DELETE",
            WEBHOOKS + "/{handler}",
            EventRoutes.permission(Action.ADMIN),
            this::unsubscribe),
        new Route("GET", SCHEDULES, EventRoutes.permission(Action.READ), this::schedules),
        new Route(
            "PUT", SCHEDULES + "/{name}", EventRoutes.permission(Action.ADMIN), this::schedule),
        new Route(
            "DELETE",
            SCHEDULES + "/{name}",
            EventRoutes.permission(Action.ADMIN),
            this::unschedule));
  }

  private EventSubscriptionService service(HttpRequestContext httpRequestContext) {
    return events.apply(httpRequestContext).subscriptions();
  }

  private RouteResponse subscriptions(HttpRequestContext httpRequestContext) {
    return EventRoutes.items(service(httpRequestContext).subscriptions());
  }

  /**
   * Creates a webhook. A subscription to changes of names also requires the right to read all
   * names.
   */
  private RouteResponse subscribe(HttpRequestContext httpRequestContext) throws IOException {
    SubscribeRequest request = httpRequestContext.body(SubscribeRequest.class);
    if (request.types().stream().anyMatch(NameChangeEventSource::publishes)) {
      httpRequestContext.caller().require(Action.READ, ResourceType.NAMES, "");
    }
    return RouteResponse.ok(WireJson.tree(service(httpRequestContext).subscribe(request)));
  }

  private RouteResponse unsubscribe(HttpRequestContext httpRequestContext) {
    service(httpRequestContext).unsubscribe(httpRequestContext.path("handler"));
    return RouteResponse.empty(204);
  }

  private RouteResponse schedules(HttpRequestContext httpRequestContext) {
    return EventRoutes.items(service(httpRequestContext).schedules());
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

  private RouteResponse schedule(HttpRequestContext httpRequestContext) throws IOException {
    service(httpRequestContext)
        .schedule(
            httpRequestContext.body(ScheduleBody.class).named(httpRequestContext.path("name")));
    return RouteResponse.empty(204);
  }

  private RouteResponse unschedule(HttpRequestContext httpRequestContext) {
    service(httpRequestContext).unschedule(httpRequestContext.path("name"));
    return RouteResponse.empty(204);
  }
}
