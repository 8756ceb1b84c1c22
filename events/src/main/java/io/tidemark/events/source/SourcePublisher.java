// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import io.tidemark.events.Namespace;
import io.tidemark.events.model.ChainTooLongException;
import io.tidemark.events.model.FutureEventException;
import io.tidemark.events.model.InvalidEventPayloadException;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Publication;
import io.tidemark.objects.TidemarkException;
import java.util.Optional;

/** Publishing of the events of sources. */
final class SourcePublisher {

  private SourcePublisher() {}

  /** Publishes an event that has an id; with the current time when its own isn't valid. */
  static void publish(Namespace namespace, NewEvent event) {
    try {
      Publication unused = namespace.publish(event);
    } catch (FutureEventException e) { // of a clock that is more wrong than allowed
      Publication unused =
          namespace.publish(
              new NewEvent(
                  event.type(),
                  event.payload(),
                  event.priority(),
                  event.id(),
                  Optional.empty(),
                  event.lineage()));
    }
  }

  /** Returns whether an event was rejected for its content, so that a retry would fail too. */
  static boolean isPermanent(TidemarkException e) {
    return e instanceof InvalidNameException
        || e instanceof InvalidEventPayloadException
        || e instanceof ChainTooLongException;
  }
}
