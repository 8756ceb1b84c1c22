// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/**
 * The shape with plain keys: {@code pk}, {@code head_v}, {@code head}, {@code index_v} and so on,
 * with an {@code address} where there is an id today.
 */
final class PlainShape {

  private static final Set<String> CONVERTED =
      Set.of(
          "v",
          "pk",
          "type",
          "name",
          "branch",
          "created_at",
          "retracted",
          "deps",
          "head_v",
          "head",
          "index_v",
          "index",
          "status_v",
          "status",
          "config_v",
          "config");

  private PlainShape() {}

  static boolean recognises(ObjectNode node) {
    return node.has("pk") && node.has("v") && !node.has("@id");
  }

  static ObjectNode convert(String key, ObjectNode found) {
    ObjectNode out = Json.object();
    found
        .properties()
        .forEach(
            field -> {
              if (!CONVERTED.contains(field.getKey())) {
                out.set(field.getKey(), field.getValue().deepCopy());
              }
            });
    if (found.has("type")) {
      record(key, found, out);
    }
    if (found.hasNonNull("index")) {
      index(key, found, out);
    }
    return out;
  }

  private static void record(String key, ObjectNode found, ObjectNode out) {
    String type = found.path("type").asText();
    boolean ledger = type.equals("ledger");
    if (ledger) {
      out.putArray("@type").add("f:Database").add("f:LedgerSource");
    } else {
      out.putArray("@type").add("f:GraphSource").add(type);
      if (found.path("deps").isArray()) {
        out.set("f:graphSourceDependencies", found.get("deps").deepCopy());
      }
    }
    Json.number(key, found, "created_at").ifPresent(at -> out.put("tm:createdAt", at));
    out.put("tm:retracted", found.path("retracted").asBoolean());
    Json.number(key, found, "head_v").ifPresent(t -> out.put("f:t", t));
    Json.text(key, found.path("head"), "address").ifPresent(id -> out.put("f:commitCid", id));
    status(key, found, out);
    Json.number(key, found, "config_v").ifPresent(v -> out.put("f:configV", v));
    JsonNode config = found.path("config");
    if (config.isObject() && ledger) {
      out.set("tm:config", config.deepCopy());
    } else if (config.isObject()) {
      out.putObject("f:graphSourceConfig").put("@value", config.toString());
    }
  }

  private static void status(String key, ObjectNode found, ObjectNode out) {
    Json.number(key, found, "status_v").ifPresent(v -> out.put("f:statusV", v));
    if (found.path("status") instanceof ObjectNode status) {
      ObjectNode rest = status.deepCopy();
      JsonNode state = rest.remove("state");
      if (state != null) {
        out.set("f:status", state);
      }
      out.set("f:statusMeta", rest);
    }
  }

  /** An index counted its publications; how far it has come was inside. */
  private static void index(String key, ObjectNode found, ObjectNode out) {
    Json.number(key, found, "index_v").ifPresent(v -> out.put("tm:indexRev", v));
    if (found.path("index").has("address")) {
      ObjectNode payload = renamed(found.path("index"));
      long t = Json.number(key, payload, "sync_t").orElse(0L);
      out.put("f:graphSourceIndexT", t);
      out.putObject("f:graphSourceIndex").put("f:graphSourceIndexCid", payload.path("id").asText());
      out.set("tm:index", payload);
      return;
    }
    ObjectNode graphs = Json.object();
    long newest = 0;
    for (var graph : found.path("index").properties()) {
      JsonNode pointer = graph.getValue(); // null where a graph has no index
      graphs.set(graph.getKey(), pointer.isObject() ? renamed(pointer) : pointer.deepCopy());
      newest = Math.max(newest, Json.number(key, pointer, "t").orElse(0L));
    }
    out.put("tm:indexT", newest);
    out.set("tm:index", graphs);
  }

  private static ObjectNode renamed(JsonNode pointer) {
    ObjectNode out = Json.object();
    pointer
        .properties()
        .forEach(
            field ->
                out.set(
                    field.getKey().equals("address") ? "id" : field.getKey(),
                    field.getValue().deepCopy()));
    return out;
  }
}
