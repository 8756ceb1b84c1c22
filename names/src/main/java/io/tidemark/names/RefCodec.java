// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Codec between heads and payloads. A ledger's index is a map by named graph, of which the scalar
 * operations move the graph {@code default}; a graph source's is one pointer.
 */
final class RefCodec {

  static final String HEAD_LIKE = "{\"id\":\"...\",\"t\":1}, t being the watermark";
  static final String INDEX_LIKE = "{\"default\":{\"id\":\"...\",\"t\":1}}; an id isn't empty";

  private static final String DEFAULT_GRAPH = "default";

  private RefCodec() {}

  /**
   * Returns whether a head says what it points to, and says of its {@code t} what the watermark
   * says.
   */
  static boolean isHead(ConcernValue head) {
    if (head.payload().isEmpty()) {
      return false;
    }
    Optional<Ref> pointer = head.payload().get().pointer();
    if (pointer.isPresent()) {
      return pointer.get().t() == head.watermark();
    }
    JsonNode id = head.payload().get().json().path("id");
    JsonNode t = head.payload().get().json().path("t");
    return id.isTextual()
        && !id.textValue().isEmpty()
        && t.isIntegralNumber()
        && t.canConvertToLong()
        && t.longValue() == head.watermark();
  }

  /** Returns whether an index can be read back as one: where it has an id, it isn't empty. */
  static boolean isIndex(ConcernValue index) {
    return index
        .payload()
        .map(Payload::json)
        .map(json -> !isEmpty(json.path("id")) && !isEmpty(json.path(DEFAULT_GRAPH).path("id")))
        .orElse(true);
  }

  private static boolean isEmpty(JsonNode id) {
    return id.isTextual() && id.textValue().isEmpty();
  }

  static Ref headRef(ConcernValue head) {
    return new Ref(head.payload().flatMap(payload -> payload.string("id")), head.watermark());
  }

  static ConcernValue headValue(Ref ref) {
    return ref.id().isEmpty()
        ? new ConcernValue(ref.t(), Optional.empty())
        : ConcernValue.of(ref.t(), Payload.of(ref));
  }

  static Ref indexRef(RecordKind recordKind, ConcernValue index) {
    Optional<String> id =
        index
            .payload()
            .flatMap(
                payload ->
                    recordKind == RecordKind.GRAPH_SOURCE
                        ? payload.string("id")
                        : defaultId(payload));
    return new Ref(id, index.watermark());
  }

  private static Optional<String> defaultId(Payload payload) {
    JsonNode id = payload.json().path(DEFAULT_GRAPH).path("id");
    return id.isTextual() ? Optional.of(id.textValue()) : Optional.empty();
  }

  /** Returns an index that covers {@code ref.t()}, other named graphs staying as they are. */
  static ConcernValue indexValue(RecordKind recordKind, Ref ref, ConcernValue before) {
    if (recordKind == RecordKind.GRAPH_SOURCE) {
      return value(ref, json -> json.put("id", ref.id().orElseThrow()).put("index_t", ref.t()));
    }
    return value(
        ref,
        json -> {
          before.payload().ifPresent(payload -> json.setAll(payload.toTree()));
          JsonNode old = json.path(DEFAULT_GRAPH);
          long rev = old.path("t").asLong(-1) == ref.t() ? old.path("rev").asLong() + 1 : 0;
          ObjectNode graph = json.putObject(DEFAULT_GRAPH);
          graph.put("id", ref.id().orElseThrow()).put("t", ref.t()).put("rev", rev);
        });
  }

  private static ConcernValue value(Ref ref, Consumer<ObjectNode> fill) {
    return ref.id().isEmpty()
        ? new ConcernValue(ref.t(), Optional.empty())
        : ConcernValue.of(ref.t(), Payload.build(fill));
  }
}
