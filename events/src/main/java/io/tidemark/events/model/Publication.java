// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/** Result of publishing an event. In either case the event is stored. */
public sealed interface Publication {

  /** Returns the event as it was to be stored. */
  Event event();

  /** This call stored the event. */
  record Published(Event event) implements Publication {}

  /** The event was stored already, under the same id and time; nothing was changed. */
  record AlreadyThere(Event event) implements Publication {}
}
