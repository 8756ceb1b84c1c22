// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import io.tidemark.api.events.EventBusService;
import io.tidemark.client.ServerLocation;
import io.tidemark.client.events.HttpEvents;
import io.tidemark.embed.events.EmbeddedEvents;
import io.tidemark.events.model.BusOptions;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.resources.ServerResources;
import java.util.Optional;

/**
 * Events of a server: those of another server if its objects are that server's, else those in its
 * object store.
 *
 * @param service service of the events; empty if there is no store for them
 * @param own bus to be closed; empty if another server has the events
 */
public record ServerEventBus(Optional<EventBusService> service, Optional<EmbeddedEvents> own)
    implements AutoCloseable {

  /** Returns the events that belong to the resources of a server. */
  public static ServerEventBus of(ServerResources serverResources) {
    if (serverResources.upstream().isPresent()
        && serverResources.objects().filter(ServerEventBus::isOnServer).isPresent()) {
      return new ServerEventBus(serverResources.upstream().map(HttpEvents::new), Optional.empty());
    }
    Optional<EmbeddedEvents> own =
        serverResources.objects().map(store -> EmbeddedEvents.open(store, BusOptions.standard()));
    return new ServerEventBus(own.map(bus -> bus), own);
  }

  /** Returns an instance without events. */
  public static ServerEventBus none() {
    return new ServerEventBus(Optional.empty(), Optional.empty());
  }

  private static boolean isOnServer(ObjectStore store) {
    return ServerLocation.isServerUrl(store.capabilities().location());
  }

  @Override
  public void close() {
    own.ifPresent(EmbeddedEvents::close);
  }
}
