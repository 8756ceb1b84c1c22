// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Kind;
import io.tidemark.names.Payload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Payloads as Fluree keeps them: a scalar for each pointer, {@code commit_id} and {@code index_id}
 * (for some days {@code commit_address} and {@code index_address}); {@code status} as a string with
 * {@code status_meta} beside it; a config as {@code default_context_address} with {@code
 * config_meta}, or {@code config_json} for a graph source. Nothing yet is an absent attribute.
 *
 * <p>Scalars can't say everything: which named graphs are indexed, say. So what doesn't come back
 * from them is kept as {@code exact} as well, the JSON together with the watermark it belongs to.
 * Fluree moves the scalars and leaves {@code exact} as it is, which then doesn't count any more.
 */
final class Scalars {

  private static final String COMMIT_ID = "commit_id";
  private static final String INDEX_ID = "index_id";
  private static final String STATUS_META = "status_meta";
  private static final String CONTEXT = "default_context_address";
  private static final String CONFIG_META = "config_meta";

  /** What a config calls its default context, the usual name first. */
  private static final List<String> CONTEXT_FIELDS =
      List.of("default_context_id", "default_context");

  private static final String DEFAULT_GRAPH = "default";
  private static final String EXACT_WATERMARK = "v";
  private static final String EXACT_JSON = "json";

  private Scalars() {}

  // Writing.

  /** The attributes of a state, the watermark aside. */
  static Map<String, AttributeValue> of(Layout layout, Kind kind, ConcernValue value) {
    if (value.payload().isEmpty()) {
      return Map.of();
    }
    Payload payload = value.payload().get();
    if (layout == Layout.CONFIG && kind == Kind.GRAPH_SOURCE) {
      return Map.of(layout.text(), AttributeValue.fromS(payload.toJson()));
    }
    Map<String, AttributeValue> attributes = new HashMap<>();
    ObjectNode json = payload.toTree();
    switch (layout) {
      case HEAD -> put(attributes, COMMIT_ID, json.path("id"));
      case INDEX -> put(attributes, INDEX_ID, indexId(json));
      case STATUS -> {
        put(attributes, layout.payload(), json.path("state"));
        json.remove("state");
        putRest(attributes, STATUS_META, json);
      }
      case CONFIG -> {
        CONTEXT_FIELDS.stream()
            .filter(field -> json.path(field).isTextual())
            .findFirst()
            .ifPresent(field -> put(attributes, CONTEXT, json.remove(field)));
        putRest(attributes, CONFIG_META, json);
      }
    }
    if (!sayAll(attributes, layout, kind, value)) {
      attributes.put(Attributes.EXACT, exact(value.watermark(), payload));
    }
    return attributes;
  }

  private static void put(Map<String, AttributeValue> attributes, String name, JsonNode text) {
    if (text.isTextual()) {
      attributes.put(name, AttributeValue.fromS(text.textValue()));
    }
  }

  private static void putRest(
      Map<String, AttributeValue> attributes, String name, ObjectNode rest) {
    if (!rest.isEmpty()) {
      attributes.put(name, JsonAttributes.toAttribute(rest));
    }
  }

  /** The index of a ledger's default graph, or the one a graph source has. */
  private static JsonNode indexId(JsonNode index) {
    JsonNode id = index.path(DEFAULT_GRAPH).path("id");
    return id.isTextual() ? id : index.path("id");
  }

  /**
   * Whether the payload can be read from the scalars alone. That of an index never can, as they
   * don't say whether it is a ledger's or a graph source's.
   */
  private static boolean sayAll(
      Map<String, AttributeValue> attributes, Layout layout, Kind kind, ConcernValue value) {
    boolean carried = JsonAttributes.carries(value.payload().orElseThrow().toTree());
    if (layout == Layout.INDEX || !carried) {
      return false;
    }
    Map<String, AttributeValue> item = new HashMap<>(attributes);
    item.put(layout.watermark(), Items.number(value.watermark()));
    Optional<Payload> read = read(new Cell("", "", layout.sk(), item), layout, kind);
    return read.equals(value.payload())
        && (layout != Layout.CONFIG
            || read.map(Payload::toJson).equals(value.payload().map(Payload::toJson)));
  }

  private static AttributeValue exact(long watermark, Payload payload) {
    return AttributeValue.fromM(
        Map.of(
            EXACT_WATERMARK,
            Items.number(watermark),
            EXACT_JSON,
            AttributeValue.fromS(payload.toJson())));
  }

  // Reading.

  /** The payload as it was written, unless somebody has moved the scalars since. */
  static Optional<Payload> exact(Cell cell, Layout layout) {
    AttributeValue exact = cell.item().get(Attributes.EXACT);
    if (exact == null || !exact.hasM()) {
      return Optional.empty();
    }
    Cell inner = new Cell(cell.table(), cell.pk(), cell.sk(), exact.m());
    if (!inner.number(EXACT_WATERMARK).equals(cell.number(layout.watermark()))) {
      return Optional.empty();
    }
    Optional<Payload> payload = inner.string(EXACT_JSON).map(Payload::parse);
    // An index may be written anew at the same watermark, and a head may come there again after a
    // reset.
    return switch (layout) {
      case HEAD -> payload.filter(p -> textOf(p.toTree().path("id")).equals(pointer(cell, layout)));
      case INDEX -> payload.filter(p -> textOf(indexId(p.toTree())).equals(pointer(cell, layout)));
      case STATUS, CONFIG -> payload;
    };
  }

  private static Optional<String> textOf(JsonNode node) {
    return node.isTextual() ? Optional.of(node.textValue()) : Optional.empty();
  }

  /** What a head or an index points to. */
  static Optional<String> pointer(Cell cell, Layout layout) {
    return layout.older().stream().map(cell::string).flatMap(Optional::stream).findFirst();
  }

  /** The payload as far as scalars say it. */
  static Optional<Payload> read(Cell cell, Layout layout, Kind kind) {
    return switch (layout) {
      case HEAD -> pointer(cell, layout).map(id -> head(id, cell));
      case INDEX -> pointer(cell, layout).map(id -> index(id, cell, kind));
      case STATUS -> status(cell);
      case CONFIG -> config(cell);
    };
  }

  private static Payload head(String id, Cell cell) {
    long t = cell.number(Layout.HEAD.watermark()).orElse(0L);
    return Payload.build(json -> json.put("id", id).put("t", t));
  }

  private static Payload index(String id, Cell cell, Kind kind) {
    long t = cell.number(Layout.INDEX.watermark()).orElse(0L);
    return Payload.build(
        json -> {
          if (kind == Kind.GRAPH_SOURCE) {
            json.put("id", id).put("index_t", t);
          } else {
            json.putObject(DEFAULT_GRAPH).put("id", id).put("t", t).put("rev", 0);
          }
        });
  }

  private static Optional<Payload> status(Cell cell) {
    return cell.string(Layout.STATUS.payload())
        .map(
            state ->
                Payload.build(
                    json -> {
                      json.put("state", state);
                      cell.object(STATUS_META).ifPresent(json::setAll);
                    }));
  }

  private static Optional<Payload> config(Cell cell) {
    Optional<String> context = cell.string("default_context_id").or(() -> cell.string(CONTEXT));
    Optional<ObjectNode> meta = cell.object(CONFIG_META);
    if (context.isEmpty() && meta.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Payload.build(
            json -> {
              context.ifPresent(id -> json.put("default_context_id", id));
              meta.ifPresent(json::setAll);
            }));
  }
}
