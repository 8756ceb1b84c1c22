// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.EventIds;
import io.tidemark.server.http.HttpRequestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Ids for features without one, derived from the idempotency key of their request. So each is one
 * feature however often, and to whichever server, the request is sent. The position and content of
 * the feature are part of its id, so the reuse of a key for other features is harmless.
 */
final class IdempotentIds {

  private static final Set<String> MAKING = Set.of("create", "upsert");

  private final HttpRequestContext httpRequestContext;
  private final String key;
  private int place;

  private IdempotentIds(HttpRequestContext httpRequestContext, String key) {
    this.httpRequestContext = httpRequestContext;
    this.key = key;
  }

  /** Returns the batch, in which every feature to create has an id if the request has a key. */
  static ObjectNode assigned(HttpRequestContext httpRequestContext, ObjectNode batch) {
    Optional<String> key = httpRequestContext.idempotencyKey();
    if (key.isPresent()) {
      IdempotentIds ids = new IdempotentIds(httpRequestContext, key.get());
      features(batch).forEach(ids::assign);
    }
    return batch;
  }

  private static Iterable<JsonNode> features(ObjectNode batch) {
    return switch (batch.path("type").asText()) {
      case "FeatureCollection" -> batch.path("features");
      case "Feature" -> List.of(batch);
      default -> made(batch.path("writes"));
    };
  }

  private static List<JsonNode> made(JsonNode writes) {
    List<JsonNode> features = new ArrayList<>();
    for (JsonNode write : writes) {
      if (MAKING.contains(write.path("op").asText())) {
        features.add(write.path("feature"));
      }
    }
    return features;
  }

  private void assign(JsonNode feature) {
    place++;
    if (feature instanceof ObjectNode json && !json.hasNonNull("id")) {
      String id =
          EventIds.of(
              httpRequestContext.caller().identity(),
              httpRequestContext.path("collection"),
              key,
              Integer.toString(place),
              json.toString());
      json.put("id", id.replace("-", "")); // the format of generated ids in the storage
    }
  }
}
