// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * Subscription of a webhook.
 *
 * @param types types of the events; empty for all
 * @param url address that each event is posted to
 * @param handler id of the handler; empty for one made of types and address
 * @param secret secret that signs the events, of at least 16 bytes; empty for a new one
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record SubscribeRequest(
    List<String> types, String url, Optional<String> handler, Optional<String> secret)
    implements SubscribeRequestBuilder.With {

  public SubscribeRequest {
    types = List.copyOf(types);
  }

  /** Returns a subscription to events of one type. */
  public static SubscribeRequest of(String type, String url) {
    return new SubscribeRequest(List.of(type), url, Optional.empty(), Optional.empty());
  }

  /** Returns the types alone; address and secret don't belong into logs. */
  @Override
  public String toString() {
    return "subscription to " + types;
  }
}
