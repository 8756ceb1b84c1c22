// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.events;

import com.fasterxml.jackson.core.type.TypeReference;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.DeadLetterEntry;
import io.tidemark.api.events.EventArchiveService;
import io.tidemark.api.events.EventCleanupRequest;
import io.tidemark.api.events.EventCleanupResult;
import io.tidemark.api.events.EventDetails;
import io.tidemark.api.events.EventEntry;
import io.tidemark.api.events.EventListRequest;
import io.tidemark.api.events.ReplayResult;
import io.tidemark.api.events.SessionEntry;
import io.tidemark.client.Connection;
import io.tidemark.client.Request;
import io.tidemark.client.events.HttpEvents.Direction;
import io.tidemark.client.events.HttpEvents.Range;
import java.util.Optional;

/** Stored events of a namespace of a server. */
final class HttpEventArchive implements EventArchiveService {

  private final Connection connection;
  private final String namespace;

  HttpEventArchive(Connection connection, String namespace) {
    this.connection = connection;
    this.namespace = namespace;
  }

  private Request get(String resource) {
    return Request.get("v1", "events", namespace, resource);
  }

  @Override
  public Page<EventEntry> list(EventListRequest request) {
    Request listing = get("events");
    for (String type : request.types()) {
      listing = listing.query("type", type);
    }
    if (request.status().isPresent()) {
      listing = listing.query("status", request.status().get().word());
    }
    return HttpEvents.pages(
        connection,
        listing,
        new TypeReference<Page<EventEntry>>() {},
        new Range(request.limit(), request.cursor(), Direction.BACKWARD));
  }

  @Override
  public EventDetails show(String eventId) {
    Request request = Request.get("v1", "events", namespace, "events", eventId);
    return WireJson.read(connection.sendPatiently(request).orThrow().json(), EventDetails.class);
  }

  @Override
  public ReplayResult replay(String eventId, Optional<String> key) {
    Request request = Request.of("POST", "v1", "events", namespace, "events", eventId, "replay");
    return WireJson.read(
        key.map(given -> connection.change(request, given))
            .orElseGet(() -> connection.change(request))
            .orThrow()
            .json(),
        ReplayResult.class);
  }

  @Override
  public Page<DeadLetterEntry> deadLetters(int limit, Optional<String> cursor) {
    return HttpEvents.pages(
        connection,
        get("dead-letters"),
        new TypeReference<Page<DeadLetterEntry>>() {},
        new Range(limit, cursor, Direction.FORWARD));
  }

  @Override
  public Page<SessionEntry> sessions(int limit, Optional<String> cursor) {
    return HttpEvents.pages(
        connection,
        get("sessions"),
        new TypeReference<Page<SessionEntry>>() {},
        new Range(limit, cursor, Direction.FORWARD));
  }

  @Override
  public EventCleanupResult cleanup(EventCleanupRequest request) {
    Request cleanup =
        Request.of("POST", "v1", "events", namespace, "cleanup").json(WireJson.tree(request));
    return WireJson.read(
        connection.sendPatiently(cleanup).orThrow().json(), EventCleanupResult.class);
  }
}
