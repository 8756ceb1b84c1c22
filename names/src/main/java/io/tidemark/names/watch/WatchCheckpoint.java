// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.objects.JsonErrors;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checkpoint of a client: the records it knows, and how far each was when it was last told. A watch
 * that is begun with them goes on from there, in another process and days later too.
 *
 * <p>A record that couldn't be read is one of them. Left out, it would be unknown to the watch that
 * goes on: that it is gone meanwhile wouldn't be told, and that it still can't be read a second
 * time.
 *
 * @param marks by address, in their order
 * @param unreadable the records of which the last that was told is why they can't be read
 */
public record WatchCheckpoint(Map<Address, Watermarks> marks, Map<Address, String> unreadable) {

  private static final String UNREADABLE = "unreadable";

  private static final JsonMapper JSON = new JsonMapper();

  public WatchCheckpoint {
    marks = Collections.unmodifiableMap(new TreeMap<>(marks));
    unreadable = Collections.unmodifiableMap(new TreeMap<>(unreadable));
  }

  /** Returns the checkpoint of a client that knows nothing yet. */
  public static WatchCheckpoint none() {
    return new WatchCheckpoint(Map.of(), Map.of());
  }

  /** Returns the last observation of each record that the client was told. */
  Map<Address, Observation> seen() {
    Map<Address, Observation> seen = new TreeMap<>();
    marks.forEach((address, of) -> seen.put(address, new Observation.Present(of)));
    unreadable.forEach((address, why) -> seen.put(address, new Observation.Unreadable(why)));
    return seen;
  }

  /** Returns the checkpoint as text, to be stored. */
  public String toJson() {
    ObjectNode json = JSON.createObjectNode();
    ObjectNode all = json.putObject("subscriptions");
    marks.forEach((address, of) -> all.set(address.toString(), of.toJson()));
    unreadable.forEach((address, why) -> all.putObject(address.toString()).put(UNREADABLE, why));
    return json.toPrettyString() + "\n";
  }

  /** Reads {@link #toJson}. */
  public static WatchCheckpoint parse(String text) {
    JsonNode json;
    try {
      json = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw unreadable(JsonErrors.reason(e));
    }
    if (!json.path("subscriptions").isObject()) {
      throw unreadable("there is no object \"subscriptions\"");
    }
    Map<Address, Watermarks> marks = new TreeMap<>();
    Map<Address, String> unreadable = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : json.path("subscriptions").properties()) {
      Address address = Address.parse(entry.getKey());
      JsonNode why = entry.getValue().path(UNREADABLE);
      if (why.isTextual()) {
        unreadable.put(address, why.textValue());
      } else {
        marks.put(address, Watermarks.read(entry.getValue()));
      }
    }
    return new WatchCheckpoint(marks, unreadable);
  }

  private static InvalidPayloadException unreadable(String why) {
    return new InvalidPayloadException(
        "these are no subscriptions: " + why + "; begin a new watch, which tells everything anew");
  }
}
