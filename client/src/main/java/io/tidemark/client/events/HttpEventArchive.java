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
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.events.HttpEvents.Direction;
import io.tidemark.client.events.HttpEvents.Range;
import java.util.Optional;

/** Stored events of a namespace of a server. */
final class HttpEventArchive implements EventArchiveService {

  private final ServerConnection serverConnection;
  private final String namespace;

  HttpEventArchive(ServerConnection serverConnection, String namespace) {
    this.serverConnection = serverConnection;
    this.namespace = namespace;
  }

  private ServerRequest get(String resource) {
    return ServerRequest.get("v1", "events", namespace, resource);
  }

  @Override
  public Page<EventEntry> list(EventListRequest request) {
    ServerRequest listing = get("events");
    for (String type : request.types()) {
      listing = listing.query("type", type);
    }
    if (request.status().isPresent()) {
      listing = listing.query("status", request.status().get().word());
    }
    return HttpEvents.pages(
        serverConnection,
        listing,
        new TypeReference<Page<EventEntry>>() {},
        new Range(request.limit(), request.cursor(), Direction.BACKWARD));
  }

  @Override
  public EventDetails show(String eventId) {
    ServerRequest serverRequest = ServerRequest.get("v1", "events", namespace, "events", eventId);
    return WireJson.read(
        serverConnection.sendWithoutTimeout(serverRequest).orThrow().json(), EventDetails.class);
  }

  @Override
  public ReplayResult replay(String eventId, Optional<String> key) {
    ServerRequest serverRequest =
        ServerRequest.of("POST", "v1", "events", namespace, "events", eventId, "replay");
    return WireJson.read(
        key.map(given -> serverConnection.sendIdempotent(serverRequest, given))
            .orElseGet(() -> serverConnection.sendIdempotent(serverRequest))
            .orThrow()
            .json(),
        ReplayResult.class);
  }

  @Override
  public Page<DeadLetterEntry> deadLetters(int limit, Optional<String> cursor) {
    return HttpEvents.pages(
        serverConnection,
        get("dead-letters"),
        new TypeReference<Page<DeadLetterEntry>>() {},
        new Range(limit, cursor, Direction.FORWARD));
  }

  @Override
  public Page<SessionEntry> sessions(int limit, Optional<String> cursor) {
    return HttpEvents.pages(
        serverConnection,
        get("sessions"),
        new TypeReference<Page<SessionEntry>>() {},
        new Range(limit, cursor, Direction.FORWARD));
  }

  @Override
  public EventCleanupResult cleanup(EventCleanupRequest request) {
    ServerRequest cleanup =
        ServerRequest.of("POST", "v1", "events", namespace, "cleanup").json(WireJson.tree(request));
    return WireJson.read(
        serverConnection.sendWithoutTimeout(cleanup).orThrow().json(), EventCleanupResult.class);
  }
}
