// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.events;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.ClaimedEvent;
import io.tidemark.api.events.EventArchiveService;
import io.tidemark.api.events.EventClaimRequest;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.EventSubscriptionService;
import io.tidemark.api.events.EventTail;
import io.tidemark.api.events.FollowRequest;
import io.tidemark.api.events.PublishRequest;
import io.tidemark.api.events.PublishedEvent;
import io.tidemark.api.events.SettleRequest;
import io.tidemark.api.events.SettleResult;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Events of a namespace of a server. */
final class HttpEventService implements EventService {

  private static final int MOST_PUBLISHED = 1_000;
  private static final int MOST_CLAIMED = 100;

  private final ServerConnection serverConnection;
  private final String namespace;

  HttpEventService(ServerConnection serverConnection, String namespace) {
    this.serverConnection = serverConnection;
    this.namespace = namespace;
  }

  private ServerRequest post(String resource) {
    return ServerRequest.of("POST", "v1", "events", namespace, resource);
  }

  private JsonNode changed(ServerRequest serverRequest) {
    return serverConnection.sendIdempotent(serverRequest).orThrow().json();
  }

  @Override
  public PublishedEvent publish(PublishRequest event) {
    return WireJson.read(changed(post("events").json(WireJson.tree(event))), PublishedEvent.class);
  }

  @Override
  public List<PublishedEvent> publish(List<PublishRequest> events) {
    List<PublishedEvent> published = new ArrayList<>();
    for (int i = 0; i < events.size(); i += MOST_PUBLISHED) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      body.set(
          "events", WireJson.tree(events.subList(i, Math.min(events.size(), i + MOST_PUBLISHED))));
      Page<PublishedEvent> page =
          WireJson.read(changed(post("events").json(body)), new TypeReference<>() {});
      published.addAll(page.items());
    }
    return published;
  }

  @Override
  public List<ClaimedEvent> claim(EventClaimRequest request) {
    EventClaimRequest wanted =
        request.session().isPresent()
            ? request
            : request.withSession(Optional.of("http-" + UUID.randomUUID()));
    List<ClaimedEvent> claimed = new ArrayList<>();
    int left = request.limit().orElse(1);
    int size;
    int found;
    do {
      size = Math.min(left - claimed.size(), MOST_CLAIMED);
      Page<ClaimedEvent> page =
          WireJson.read(
              changed(post("claims").json(WireJson.tree(wanted.withLimit(Optional.of(size))))),
              new TypeReference<>() {});
      claimed.addAll(page.items());
      found = page.items().size();
    } while (found == size && claimed.size() < left);
    return claimed;
  }

  @Override
  public List<SettleResult> settle(SettleRequest request) {
    List<SettleResult> settled = new ArrayList<>();
    List<String> ids = request.events();
    for (int i = 0; i < ids.size(); i += MOST_CLAIMED) {
      List<String> some = ids.subList(i, Math.min(ids.size(), i + MOST_CLAIMED));
      Page<SettleResult> page =
          WireJson.read(
              changed(post("settlements").json(WireJson.tree(request.withEvents(some)))),
              new TypeReference<>() {});
      settled.addAll(page.items());
    }
    return settled;
  }

  @Override
  public EventTail follow(FollowRequest request) {
    return new HttpEventTail(serverConnection, namespace, request);
  }

  @Override
  public EventArchiveService archive() {
    return new HttpEventArchive(serverConnection, namespace);
  }

  @Override
  public EventSubscriptionService subscriptions() {
    return new HttpSubscriptions(serverConnection, namespace);
  }
}
