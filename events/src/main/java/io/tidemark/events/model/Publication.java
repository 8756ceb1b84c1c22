// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/** How publishing ended. Either way the event is there. */
public sealed interface Publication {

  /** The event as it was to be stored. */
  Event event();

  /** This call has stored it. */
  record Published(Event event) implements Publication {}

  /** It was there already, under the same id and time; nothing was changed. */
  record AlreadyThere(Event event) implements Publication {}
}
