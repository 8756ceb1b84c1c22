// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.time.Instant;
import java.util.List;

/**
 * Webhook that gets events.
 *
 * @param handler id of the handler, as claims and dead letters name it
 * @param types types of the events; empty for all
 * @param target scheme, host and port; the rest of the address may be secret
 * @param createdAt time of the subscription
 */
public record EventSubscription(
    String handler, List<String> types, String target, Instant createdAt) {
  public EventSubscription {
    types = List.copyOf(types);
  }
}
