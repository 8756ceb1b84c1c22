// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Start and selection of a tail.
 *
 * @param since time from which events are told; empty for events yet to come
 * @param types types to tell of; empty for all, and for what can't be read
 * @param interval time between two looks at the store; a server looks once a second
 */
@RecordBuilder
public record FollowRequest(Optional<Instant> since, List<String> types, Duration interval)
    implements FollowRequestBuilder.With {

  public FollowRequest {
    types = List.copyOf(types);
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException("interval must be positive, got " + interval);
    }
  }

  /** Returns the request for all events from now on. */
  public static FollowRequest fromNow() {
    return new FollowRequest(Optional.empty(), List.of(), Duration.ofSeconds(1));
  }

  /** Returns the request for all stored events and those to come. */
  public static FollowRequest fromStart() {
    return fromNow().withSince(Optional.of(Instant.EPOCH));
  }
}
