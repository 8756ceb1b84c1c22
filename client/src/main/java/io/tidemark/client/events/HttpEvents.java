// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.events;

import com.fasterxml.jackson.core.type.TypeReference;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.EventBusService;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.NamespaceStats;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Event bus of a server. */
public final class HttpEvents implements EventBusService {

  /** Largest page of a listing. */
  static final int PAGE = 1_000;

  private final ServerConnection serverConnection;

  public HttpEvents(ServerConnection serverConnection) {
    this.serverConnection = serverConnection;
  }

  @Override
  public EventService namespace(String name) {
    return new HttpEventService(serverConnection, name);
  }

  @Override
  public List<NamespaceStats> namespaces() {
    return pages(
            serverConnection,
            ServerRequest.get("v1", "events"),
            new TypeReference<Page<NamespaceStats>>() {},
            new Range(Integer.MAX_VALUE, Optional.empty(), Direction.FORWARD))
        .items();
  }

  /** Order in which the pages of a listing follow each other. */
  enum Direction {
    FORWARD,
    BACKWARD
  }

  /** Part of a listing that a caller asks for. */
  record Range(int limit, Optional<String> cursor, Direction direction) {}

  /** Returns one page of any length, made of as many pages of the server as it takes. */
  static <T> Page<T> pages(
      ServerConnection serverConnection,
      ServerRequest listing,
      TypeReference<Page<T>> type,
      Range range) {
    List<T> items = new ArrayList<>();
    Optional<String> cursor = range.cursor();
    int left = range.limit();
    do {
      int size = Math.min(left, PAGE);
      ServerRequest serverRequest = listing.query("limit", Integer.toString(size));
      Page<T> page =
          WireJson.read(
              serverConnection
                  .sendWithoutTimeout(
                      cursor
                          .map(place -> serverRequest.query("cursor", place))
                          .orElse(serverRequest))
                  .orThrow()
                  .json(),
              type);
      items.addAll(range.direction() == Direction.FORWARD ? items.size() : 0, page.items());
      cursor = page.next();
      left -= size;
    } while (cursor.isPresent() && left > 0);
    return new Page<>(items, cursor);
  }
}
