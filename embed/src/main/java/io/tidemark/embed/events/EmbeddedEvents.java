// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.events;

import io.tidemark.api.events.EventBusService;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.NamespaceStats;
import io.tidemark.events.EventBus;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.subscribe.SubscriptionStore;
import io.tidemark.objects.ObjectStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Event bus on an object store, in this process. */
public final class EmbeddedEvents implements EventBusService, AutoCloseable {

  private final EventBus bus;

  private EmbeddedEvents(EventBus bus) {
    this.bus = bus;
  }

  /**
   * Opens the bus of a store, without any request.
   *
   * @param store store of the events, which the caller closes after the bus
   */
  public static EmbeddedEvents open(ObjectStore store, BusOptions options) {
    return new EmbeddedEvents(EventBus.open(store, "", options));
  }

  @Override
  public EventService namespace(String name) {
    return new EmbeddedEventService(bus, bus.namespace(name));
  }

  @Override
  public List<NamespaceStats> namespaces() {
    Map<String, NamespaceStats> all = new TreeMap<>();
    new SubscriptionStore(bus.store(), bus.prefix())
        .versions()
        .keySet()
        .forEach(name -> all.put(name, new NamespaceStats(name, 0, 0, 0, 0)));
    bus.namespaces().forEach(info -> all.put(info.namespace(), EventResultMapper.stats(info)));
    return List.copyOf(all.values());
  }

  @Override
  public void close() {
    bus.close();
  }
}
