// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
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
final class FlureeScalars {

  private static final String COMMIT_ID = "commit_id";
  private static final String INDEX_ID = "index_id";
  private static final String STATUS_META = "status_meta";
  private static final String CONTEXT = "default_context_address";
  private static final String CONFIG_META = "config_meta";

  /** Fields that hold the default context of a config, the usual name first. */
  private static final List<String> CONTEXT_FIELDS =
      List.of("default_context_id", "default_context");

  private static final String DEFAULT_GRAPH = "default";
  private static final String EXACT_WATERMARK = "v";
  private static final String EXACT_JSON = "json";

  private FlureeScalars() {}

  // Writing.

  /** Returns the attributes of a state, the watermark aside. */
  static Map<String, AttributeValue> of(
      ConcernAttributes concernAttributes, RecordKind recordKind, ConcernValue value) {
    if (value.payload().isEmpty()) {
      return Map.of();
    }
    Payload payload = value.payload().get();
    if (concernAttributes == ConcernAttributes.CONFIG && recordKind == RecordKind.GRAPH_SOURCE) {
      return Map.of(concernAttributes.text(), AttributeValue.fromS(payload.toJson()));
    }
    Map<String, AttributeValue> attributes = new HashMap<>();
    ObjectNode json = payload.toTree();
    switch (concernAttributes) {
      case HEAD -> put(attributes, COMMIT_ID, json.path("id"));
      case INDEX -> put(attributes, INDEX_ID, indexId(json));
      case STATUS -> {
        put(attributes, concernAttributes.payload(), json.path("state"));
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
    if (!isComplete(attributes, concernAttributes, recordKind, value)) {
      attributes.put(AttributeNames.EXACT, exact(value.watermark(), payload));
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

  /** Returns the index of a ledger's default graph, or the one a graph source has. */
  private static JsonNode indexId(JsonNode index) {
    JsonNode id = index.path(DEFAULT_GRAPH).path("id");
    return id.isTextual() ? id : index.path("id");
  }

  /**
   * Returns whether the payload can be read from the scalars alone. That of an index never can, as
   * they don't say whether it is a ledger's or a graph source's.
   */
  private static boolean isComplete(
      Map<String, AttributeValue> attributes,
      ConcernAttributes concernAttributes,
      RecordKind recordKind,
      ConcernValue value) {
    boolean carried = JsonAttributes.isLossless(value.payload().orElseThrow().toTree());
    if (concernAttributes == ConcernAttributes.INDEX || !carried) {
      return false;
    }
    Map<String, AttributeValue> item = new HashMap<>(attributes);
    item.put(concernAttributes.watermark(), ItemCodec.number(value.watermark()));
    Optional<Payload> read =
        read(new ItemReader("", "", concernAttributes.sk(), item), concernAttributes, recordKind);
    return read.equals(value.payload())
        && (concernAttributes != ConcernAttributes.CONFIG
            || read.map(Payload::toJson).equals(value.payload().map(Payload::toJson)));
  }

  private static AttributeValue exact(long watermark, Payload payload) {
    return AttributeValue.fromM(
        Map.of(
            EXACT_WATERMARK,
            ItemCodec.number(watermark),
            EXACT_JSON,
            AttributeValue.fromS(payload.toJson())));
  }

  // Reading.

  /** Returns the payload as it was written, unless another writer has moved the scalars since. */
  static Optional<Payload> exact(ItemReader itemReader, ConcernAttributes concernAttributes) {
    AttributeValue exact = itemReader.item().get(AttributeNames.EXACT);
    if (exact == null || !exact.hasM()) {
      return Optional.empty();
    }
    ItemReader inner =
        new ItemReader(itemReader.table(), itemReader.pk(), itemReader.sk(), exact.m());
    if (!inner.number(EXACT_WATERMARK).equals(itemReader.number(concernAttributes.watermark()))) {
      return Optional.empty();
    }
    Optional<Payload> payload = inner.string(EXACT_JSON).map(Payload::parse);
    // An index may be written anew at the same watermark, and a head may come there again after a
    // reset.
    return switch (concernAttributes) {
      case HEAD ->
          payload.filter(
              p -> textOf(p.toTree().path("id")).equals(pointer(itemReader, concernAttributes)));
      case INDEX ->
          payload.filter(
              p -> textOf(indexId(p.toTree())).equals(pointer(itemReader, concernAttributes)));
      case STATUS, CONFIG -> payload;
    };
  }

  private static Optional<String> textOf(JsonNode node) {
    return node.isTextual() ? Optional.of(node.textValue()) : Optional.empty();
  }

  /** Returns the target of a head or an index. */
  static Optional<String> pointer(ItemReader itemReader, ConcernAttributes concernAttributes) {
    return concernAttributes.legacyPayloadAttributes().stream()
        .map(itemReader::string)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Returns the payload as far as scalars say it. */
  static Optional<Payload> read(
      ItemReader itemReader, ConcernAttributes concernAttributes, RecordKind recordKind) {
    return switch (concernAttributes) {
      case HEAD -> pointer(itemReader, concernAttributes).map(id -> head(id, itemReader));
      case INDEX ->
          pointer(itemReader, concernAttributes).map(id -> index(id, itemReader, recordKind));
      case STATUS -> status(itemReader);
      case CONFIG -> config(itemReader);
    };
  }

  private static Payload head(String id, ItemReader itemReader) {
    long t = itemReader.number(ConcernAttributes.HEAD.watermark()).orElse(0L);
    return Payload.build(json -> json.put("id", id).put("t", t));
  }

  private static Payload index(String id, ItemReader itemReader, RecordKind recordKind) {
    long t = itemReader.number(ConcernAttributes.INDEX.watermark()).orElse(0L);
    return Payload.build(
        json -> {
          if (recordKind == RecordKind.GRAPH_SOURCE) {
            json.put("id", id).put("index_t", t);
          } else {
            json.putObject(DEFAULT_GRAPH).put("id", id).put("t", t).put("rev", 0);
          }
        });
  }

  private static Optional<Payload> status(ItemReader itemReader) {
    return itemReader
        .string(ConcernAttributes.STATUS.payload())
        .map(
            state ->
                Payload.build(
                    json -> {
                      json.put("state", state);
                      itemReader.object(STATUS_META).ifPresent(json::setAll);
                    }));
  }

  private static Optional<Payload> config(ItemReader itemReader) {
    Optional<String> context =
        itemReader.string("default_context_id").or(() -> itemReader.string(CONTEXT));
    Optional<ObjectNode> meta = itemReader.object(CONFIG_META);
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
