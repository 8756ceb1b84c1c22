// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.objects.DocumentJson;
import java.util.Optional;
import java.util.Set;

/**
 * The shape with plain keys: {@code pk}, {@code head_v}, {@code head}, {@code index_v} and so on,
 * with an {@code address} where there is an id today.
 */
final class LegacyPlainKeys {

  /** Said by the place of the document, or by its form. */
  private static final Set<String> IMPLIED = Set.of("v", "pk", "type", "name", "branch");

  private static final String ADDRESS = "address";
  private static final String HEAD = "head";
  private static final String HEAD_V = "head_v";
  private static final String INDEX = "index";
  private static final String STATUS = "status";
  private static final String CONFIG = "config";
  private static final String DEPS = "deps";

  private LegacyPlainKeys() {}

  static boolean recognises(ObjectNode node) {
    return node.has("pk") && node.has("v") && !node.has("@id");
  }

  /** A copy in today's keys. What can't be said in them stays under the key that it has. */
  static ObjectNode convert(String key, ObjectNode found) {
    ObjectNode out = DocumentJson.object();
    ObjectNode rest = found.deepCopy().without(IMPLIED);
    if (found.has("type")) {
      record(key, found.path("type").asText(), rest, out);
    }
    if (rest.path(INDEX) instanceof ObjectNode index) {
      index(key, index, rest, out);
      rest.remove(INDEX);
    }
    rest.properties().stream()
        .filter(field -> !field.getValue().isNull())
        .forEach(field -> out.set(field.getKey(), field.getValue()));
    return out;
  }

  private static void record(String key, String type, ObjectNode rest, ObjectNode out) {
    boolean ledger = type.equals("ledger");
    if (ledger) {
      out.putArray("@type").add("f:Database").add("f:LedgerSource");
    } else {
      out.putArray("@type").add("f:GraphSource").add(type);
      if (rest.path(DEPS).isArray()) {
        out.set("f:graphSourceDependencies", rest.remove(DEPS));
      }
    }
    take(key, rest, "created_at").ifPresent(at -> out.put("tm:createdAt", at));
    out.put("tm:retracted", rest.path("retracted").asBoolean());
    rest.remove("retracted");
    head(key, ledger, rest, out);
    status(key, rest, out);
    take(key, rest, "config_v").ifPresent(v -> out.put("f:configV", v));
    if (rest.path(CONFIG) instanceof ObjectNode config) {
      rest.remove(CONFIG);
      if (ledger) {
        out.set("tm:config", config);
      } else {
        out.putObject("f:graphSourceConfig").put("@value", config.toString());
      }
    }
  }

  private static Optional<Long> take(String key, ObjectNode rest, String field) {
    Optional<Long> number = DocumentJson.number(key, rest, field);
    rest.remove(field);
    return number;
  }

  /** A graph source has no head today, so what one said of it stays as it is. */
  private static void head(String key, boolean ledger, ObjectNode rest, ObjectNode out) {
    if (!ledger) {
      if (!rest.hasNonNull(HEAD)) {
        rest.remove(HEAD_V);
      }
      return;
    }
    Optional<Long> watermark = take(key, rest, HEAD_V);
    watermark.ifPresent(t -> out.put("f:t", t));
    JsonNode head = rest.path(HEAD);
    boolean more = !fields(head).without(Set.of(ADDRESS, "t")).isEmpty();
    Optional<String> id = DocumentJson.text(key, head, ADDRESS);
    id.ifPresent(cid -> out.put("f:commitCid", cid));
    if (id.isPresent() && more) {
      ObjectNode payload = renamed(head);
      if (!payload.has("t")) {
        payload.put("t", watermark.orElse(0L));
      }
      out.set("tm:head", payload);
    }
    if (id.isPresent() || (head.isObject() && !more)) {
      rest.remove(HEAD);
    }
  }

  private static ObjectNode fields(JsonNode node) {
    return node instanceof ObjectNode object ? object.deepCopy() : DocumentJson.object();
  }

  private static void status(String key, ObjectNode rest, ObjectNode out) {
    take(key, rest, "status_v").ifPresent(v -> out.put("f:statusV", v));
    if (rest.path(STATUS) instanceof ObjectNode status) {
      rest.remove(STATUS);
      JsonNode state = status.remove("state");
      if (state != null) {
        out.set("f:status", state);
      }
      out.set("f:statusMeta", status);
    }
  }

  /** An index counted its publications; how far it has come was inside. */
  private static void index(String key, ObjectNode index, ObjectNode rest, ObjectNode out) {
    take(key, rest, "index_v").ifPresent(v -> out.put("tm:indexRev", v));
    if (index.has(ADDRESS)) {
      ObjectNode payload = renamed(index);
      long t = DocumentJson.number(key, payload, "sync_t").orElse(0L);
      out.put("f:graphSourceIndexT", t);
      out.putObject("f:graphSourceIndex").put("f:graphSourceIndexCid", payload.path("id").asText());
      out.set("tm:index", payload);
      return;
    }
    ObjectNode graphs = DocumentJson.object();
    long newest = 0;
    for (var graph : index.properties()) {
      JsonNode pointer = graph.getValue(); // null where a graph has no index
      graphs.set(graph.getKey(), pointer.isObject() ? renamed(pointer) : pointer.deepCopy());
      newest = Math.max(newest, DocumentJson.number(key, pointer, "t").orElse(0L));
    }
    out.put("tm:indexT", newest);
    out.set("tm:index", graphs);
  }

  private static ObjectNode renamed(JsonNode pointer) {
    ObjectNode out = DocumentJson.object();
    pointer
        .properties()
        .forEach(
            field ->
                out.set(
                    field.getKey().equals(ADDRESS) ? "id" : field.getKey(),
                    field.getValue().deepCopy()));
    return out;
  }
}
