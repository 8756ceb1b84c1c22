// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What has become of each event with each handler, read once for all of them. */
final class Outcomes {
  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, JsonNode> claims;
  private final Map<String, JsonNode> deadLetters;

  private Outcomes(Map<String, JsonNode> claims, Map<String, JsonNode> deadLetters) {
    this.claims = claims;
    this.deadLetters = deadLetters;
  }

  static Outcomes of(ObjectStore store, String namespace) {
    return new Outcomes(
        read(store, "claims/" + namespace + "/"), read(store, "dead_letters/" + namespace + "/"));
  }

  private static Map<String, JsonNode> read(ObjectStore store, String folder) {
    Map<String, JsonNode> found = new HashMap<>();
    try (Stream<ObjectInfo> objects = store.list(folder)) {
      objects.forEach(
          info -> {
            String name = info.key().substring(folder.length()).replace(".json", "");
            found.put(name, parse(store.get(info.key()).orElseThrow().text()));
          });
    }
    return found;
  }

  private static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(text, e);
    }
  }

  Optional<JsonNode> claim(String eventId, String handlerId) {
    return Optional.ofNullable(claims.get(eventId + "/" + handlerId));
  }

  Optional<JsonNode> deadLetter(String eventId, String handlerId) {
    return Optional.ofNullable(deadLetters.get(eventId + "/" + handlerId));
  }

  int deadLetters() {
    return deadLetters.size();
  }
}
