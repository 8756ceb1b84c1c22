// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import io.tidemark.api.events.EventBusService;
import io.tidemark.client.ServerLocation;
import io.tidemark.client.events.HttpEvents;
import io.tidemark.embed.events.EmbeddedEvents;
import io.tidemark.events.model.BusOptions;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.resources.Holdings;
import java.util.Optional;

/**
 * Events that a server serves: those of another server if its objects are that server's, else those
 * in its object store.
 *
 * @param service service of the events; empty if there is no store for them
 * @param own bus to be closed; empty if another server has the events
 */
public record ServedEvents(Optional<EventBusService> service, Optional<EmbeddedEvents> own)
    implements AutoCloseable {

  /** Returns the events beside the names of a server. */
  public static ServedEvents of(Holdings holdings) {
    if (holdings.upstream().isPresent()
        && holdings.objects().filter(ServedEvents::isOnServer).isPresent()) {
      return new ServedEvents(holdings.upstream().map(HttpEvents::new), Optional.empty());
    }
    Optional<EmbeddedEvents> own =
        holdings.objects().map(store -> EmbeddedEvents.open(store, BusOptions.standard()));
    return new ServedEvents(own.map(bus -> bus), own);
  }

  /** Returns no events. */
  public static ServedEvents none() {
    return new ServedEvents(Optional.empty(), Optional.empty());
  }

  private static boolean isOnServer(ObjectStore store) {
    return ServerLocation.isOne(store.capabilities().location());
  }

  @Override
  public void close() {
    own.ifPresent(EmbeddedEvents::close);
  }
}
