// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.EventBusService;
import io.tidemark.api.events.EventSchedule;
import io.tidemark.api.events.EventSubscription;
import io.tidemark.api.events.EventSubscriptionService;
import io.tidemark.api.events.NamespaceStats;
import java.util.List;

/**
 * State of the event bus.
 *
 * @param queues statistics of all namespaces
 * @param automation webhooks and schedules of those namespaces that have any
 */
public record EventBusStatus(List<NamespaceStats> queues, List<Automation> automation) {

  /** Status of a server without an event bus. */
  public static final EventBusStatus NONE = new EventBusStatus(List.of(), List.of());

  public EventBusStatus {
    queues = List.copyOf(queues);
    automation = List.copyOf(automation);
  }

  /** Webhooks and schedules of a namespace. */
  public record Automation(
      String namespace, List<EventSubscription> subscriptions, List<EventSchedule> schedules) {

    private boolean isEmpty() {
      return subscriptions.isEmpty() && schedules.isEmpty();
    }
  }

  /** Returns the status of a bus. */
  public static EventBusStatus of(EventBusService bus) {
    List<NamespaceStats> queues = bus.namespaces();
    List<Automation> automation =
        queues.stream()
            .map(NamespaceStats::namespace)
            .map(name -> automation(name, bus.namespace(name).subscriptions()))
            .filter(each -> !each.isEmpty())
            .toList();
    return new EventBusStatus(queues, automation);
  }

  private static Automation automation(String namespace, EventSubscriptionService service) {
    return new Automation(namespace, service.subscriptions(), service.schedules());
  }

  /** Adds the status to a document. */
  void addTo(ObjectNode json) {
    ArrayNode namespaces = json.putArray("events");
    queues.forEach(queue -> namespaces.add(WireJson.tree(queue)));
    if (!automation.isEmpty()) {
      ArrayNode list = json.putArray("automation");
      automation.forEach(each -> list.add(WireJson.tree(each)));
    }
  }
}
