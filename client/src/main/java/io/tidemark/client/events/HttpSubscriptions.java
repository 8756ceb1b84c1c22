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
import io.tidemark.client.Answer;
import io.tidemark.client.Connection;
import io.tidemark.client.Request;
import java.util.List;

/** Webhooks and schedules of a namespace of a server. */
final class HttpSubscriptions implements EventSubscriptionService {

  private static final String SUBSCRIPTIONS = "subscriptions";
  private static final String SCHEDULES = "schedules";

  private final Connection connection;
  private final String namespace;

  HttpSubscriptions(Connection connection, String namespace) {
    this.connection = connection;
    this.namespace = namespace;
  }

  private JsonNode list(String resource) {
    return connection.send(Request.get("v1", "events", namespace, resource)).orThrow().json();
  }

  private void delete(String resource, String name) {
    Answer unused =
        connection
            .change(Request.of("DELETE", "v1", "events", namespace, resource, name))
            .orThrow();
  }

  @Override
  public SubscribeResult subscribe(SubscribeRequest request) {
    Request post =
        Request.of("POST", "v1", "events", namespace, SUBSCRIPTIONS).json(WireJson.tree(request));
    return WireJson.read(connection.change(post).orThrow().json(), SubscribeResult.class);
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
    Request put =
        Request.of("PUT", "v1", "events", namespace, SCHEDULES, schedule.name()).json(body);
    Answer unused = connection.change(put).orThrow();
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
