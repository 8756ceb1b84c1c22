// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * Page of a listing of events.
 *
 * @param types types to return; empty for all
 * @param status state of the events to return; empty for all
 * @param limit maximum number of events to look at, those of other types and states among them
 * @param cursor cursor of the page before; empty for the newest events
 */
@RecordBuilder
public record EventListRequest(
    List<String> types, Optional<EventState> status, int limit, Optional<String> cursor)
    implements EventListRequestBuilder.With {

  private static final int STANDARD_LIMIT = 100;

  public EventListRequest {
    types = List.copyOf(types);
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, got " + limit);
    }
  }

  /** Returns the request for the newest 100 events. */
  public static EventListRequest newest() {
    return new EventListRequest(List.of(), Optional.empty(), STANDARD_LIMIT, Optional.empty());
  }
}
