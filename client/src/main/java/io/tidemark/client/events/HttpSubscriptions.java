// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.events;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.EventSchedule;
import io.tidemark.api.events.EventSubscription;
import io.tidemark.api.events.EventSubscriptionService;
import io.tidemark.api.events.SubscribeRequest;
import io.tidemark.api.events.SubscribeResult;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.ServerResponse;
import java.util.List;

/** Webhooks and schedules of a namespace of a server. */
final class HttpSubscriptions implements EventSubscriptionService {

  private static final String SUBSCRIPTIONS = "subscriptions";
  private static final String SCHEDULES = "schedules";

  private final ServerConnection serverConnection;
  private final String namespace;

  HttpSubscriptions(ServerConnection serverConnection, String namespace) {
    this.serverConnection = serverConnection;
    this.namespace = namespace;
  }

  private JsonNode list(String resource) {
    return serverConnection
        .send(ServerRequest.get("v1", "events", namespace, resource))
        .orThrow()
        .json();
  }

  private void delete(String resource, String name) {
    ServerResponse unused =
        serverConnection
            .sendIdempotent(ServerRequest.of("DELETE", "v1", "events", namespace, resource, name))
            .orThrow();
  }

  @Override
  public SubscribeResult subscribe(SubscribeRequest request) {
    ServerRequest post =
        ServerRequest.of("POST", "v1", "events", namespace, SUBSCRIPTIONS)
            .json(WireJson.tree(request));
    return WireJson.read(
        serverConnection.sendIdempotent(post).orThrow().json(), SubscribeResult.class);
  }

  @Override
  public void unsubscribe(String handler) {
    delete(SUBSCRIPTIONS, handler);
  }

  @Override
  public List<EventSubscription> subscriptions() {
    return WireJson.read(list(SUBSCRIPTIONS), new TypeReference<Page<EventSubscription>>() {})
        .items();
  }

  @Override
  public void schedule(EventSchedule schedule) {
    ObjectNode body = (ObjectNode) WireJson.tree(schedule);
    body.remove("name");
    ServerRequest put =
        ServerRequest.of("PUT", "v1", "events", namespace, SCHEDULES, schedule.name()).json(body);
    ServerResponse unused = serverConnection.sendIdempotent(put).orThrow();
  }

  @Override
  public void unschedule(String name) {
    delete(SCHEDULES, name);
  }

  @Override
  public List<EventSchedule> schedules() {
    return WireJson.read(list(SCHEDULES), new TypeReference<Page<EventSchedule>>() {}).items();
  }
}
