// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.InvalidPayloadException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where a client stands: the records it knows, and how far each was when it was last told. A watch
 * that is begun with them goes on from there, in another process and days later too.
 *
 * @param marks by address, in their order
 */
public record Subscriptions(Map<Address, Marks> marks) {

  private static final JsonMapper JSON = new JsonMapper();

  public Subscriptions {
    marks = Collections.unmodifiableMap(new TreeMap<>(marks));
  }

  /** A client that knows nothing yet. */
  public static Subscriptions none() {
    return new Subscriptions(Map.of());
  }

  /** As text, to be kept. */
  public String toJson() {
    ObjectNode json = JSON.createObjectNode();
    ObjectNode all = json.putObject("subscriptions");
    marks.forEach((address, of) -> all.set(address.toString(), of.toJson()));
    return json.toPrettyString() + "\n";
  }

  /** Reads {@link #toJson}. */
  public static Subscriptions parse(String text) {
    JsonNode json;
    try {
      json = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw unreadable(e.getOriginalMessage());
    }
    if (!json.path("subscriptions").isObject()) {
      throw unreadable("there is no object \"subscriptions\"");
    }
    Map<Address, Marks> marks = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : json.path("subscriptions").properties()) {
      marks.put(Address.parse(entry.getKey()), Marks.read(entry.getValue()));
    }
    return new Subscriptions(marks);
  }

  private static InvalidPayloadException unreadable(String why) {
    return new InvalidPayloadException(
        "these are no subscriptions: " + why + "; begin a new watch, which tells everything anew");
  }
}
