// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.EventIds;
import io.tidemark.server.http.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Ids for features that have none, made of the key of the request that they come with: so each is
 * one feature however often, and to whichever server, it is sent. What it says is part of its id,
 * so that a key that is used for something else harms nothing.
 */
final class KeyedIds {

  private static final Set<String> MAKING = Set.of("create", "upsert");

  private final Call call;
  private final String key;
  private int place;

  private KeyedIds(Call call, String key) {
    this.call = call;
    this.key = key;
  }

  /** The batch, in which all that is to be made has an id if the request has a key. */
  static ObjectNode given(Call call, ObjectNode batch) {
    Optional<String> key = call.idempotencyKey();
    if (key.isPresent()) {
      KeyedIds ids = new KeyedIds(call, key.get());
      features(batch).forEach(ids::give);
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

  private void give(JsonNode feature) {
    place++;
    if (feature instanceof ObjectNode json && !json.hasNonNull("id")) {
      String id =
          EventIds.of(
              call.caller().identity(),
              call.path("collection"),
              key,
              Integer.toString(place),
              json.toString());
      json.put("id", id.replace("-", "")); // as the storage makes them
    }
  }
}
