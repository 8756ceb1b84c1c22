// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
import io.tidemark.names.SourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Records and concerns as JSON; nothing of them is left out, so that they can be read back.
 *
 * <p>How a payload was written, its blanks and the order of its members, is left out. Where that
 * matters too, {@link #exact(NameRecord)} adds it as a text wherever it differs.
 */
public final class RecordJson {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String TEXT = "payload_text";
  private static final String RECORD_ID = "record_id";

  /** Depth of payloads that are sent as they are; a server reads bodies to a depth of 64. */
  private static final int MOST_LEVELS = 32;

  private RecordJson() {}

  public static ObjectNode of(NameRecord record) {
    NameRecord.Meta meta = record.meta();
    ObjectNode json = JSON.objectNode();
    json.put("address", record.address().toString());
    json.put("name", record.address().name()).put("branch", record.address().branch());
    json.put("kind", meta.kind().text());
    meta.sourceType().ifPresent(type -> json.put("source_type", type.value()));
    if (meta.kind() == RecordKind.GRAPH_SOURCE) {
      meta.dependencies().forEach(json.putArray("dependencies")::add);
    }
    meta.createdAt().ifPresent(seconds -> json.put("created_at", seconds));
    json.put("updated_at_ms", meta.updatedAtMs()).put("retracted", meta.retracted());
    meta.sourceBranch().ifPresent(branch -> json.put("source_branch", branch));
    json.put("branches", meta.branches()).put("index_rev", meta.indexRev());
    for (Concern concern : concernsOf(meta.kind())) {
      json.set(concern.text(), of(record.concern(concern)));
    }
    return json;
  }

  public static ObjectNode of(ConcernValue value) {
    ObjectNode json = JSON.objectNode().put("watermark", value.watermark());
    JsonNode payload = value.payload().<JsonNode>map(Payload::toTree).orElseGet(JSON::nullNode);
    json.set("payload", payload);
    return json;
  }

  /** Null for a concern of a record that isn't there. */
  public static JsonNode of(Optional<ConcernValue> value) {
    return value.<JsonNode>map(RecordJson::of).orElseGet(JSON::nullNode);
  }

  /** Returns a record with its id, and with its payloads as they were written. */
  public static ObjectNode exact(NameRecord record) {
    ObjectNode json = of(record);
    record.meta().recordId().ifPresent(id -> json.put(RECORD_ID, id));
    for (Concern concern : concernsOf(record.meta().kind())) {
      addText(record.concern(concern), (ObjectNode) json.path(concern.text()));
    }
    return json;
  }

  /** Returns a record whose concerns are as {@link #wireForm(ConcernValue)} has them. */
  public static ObjectNode wireForm(NameRecord record) {
    ObjectNode json = of(record);
    for (Concern concern : concernsOf(record.meta().kind())) {
      json.set(concern.text(), wireForm(record.concern(concern)));
    }
    return json;
  }

  /** Returns the record that is to replace another, without the concerns that stay as they are. */
  public static ObjectNode changed(NameRecord before, NameRecord record) {
    ObjectNode json = wireForm(record);
    concernsOf(record.meta().kind()).stream()
        .filter(concern -> record.concern(concern).equals(before.concern(concern)))
        .forEach(concern -> json.remove(concern.text()));
    return json;
  }

  /** Returns a concern with its payload as it was written. */
  public static ObjectNode exact(ConcernValue value) {
    return addText(value, of(value));
  }

  /**
   * Returns a concern as it is sent to a server: with its payload, which servers of all versions
   * read, or, where reading a document could refuse or change the payload, with its text alone.
   */
  public static ObjectNode wireForm(ConcernValue value) {
    ObjectNode json = of(value);
    value
        .payload()
        .map(Payload::toJson)
        .filter(
            text ->
                !isPlain(json.path("payload"), MOST_LEVELS)
                    || !text.equals(json.path("payload").toString()))
        .ifPresent(text -> json.put(TEXT, text).remove("payload"));
    return json;
  }

  /**
   * Returns whether no reader of JSON has a limit that this exceeds, or makes another number of it.
   */
  private static boolean isPlain(JsonNode value, int levels) {
    if (value.isContainerNode()) {
      return levels > 0
          && StreamSupport.stream(value.spliterator(), false)
              .allMatch(each -> isPlain(each, levels - 1));
    }
    return !value.isNumber() || isLong(value);
  }

  private static ObjectNode addText(ConcernValue value, ObjectNode json) {
    value
        .payload()
        .map(Payload::toJson)
        .filter(text -> !text.equals(json.path("payload").toString()))
        .ifPresent(text -> json.put(TEXT, text));
    return json;
  }

  /** Returns the concerns that a record of a kind has. */
  public static List<Concern> concernsOf(RecordKind recordKind) {
    return recordKind == RecordKind.LEDGER
        ? List.of(Concern.values())
        : List.of(Concern.INDEX, Concern.STATUS, Concern.CONFIG);
  }

  /**
   * Reads {@link #of(NameRecord)}, {@link #exact(NameRecord)} and {@link #wireForm(NameRecord)}.
   */
  public static NameRecord record(JsonNode json) {
    return record(json, Optional.empty());
  }

  /** Reads {@link #changed}: a concern that is left out is as it was before. */
  public static NameRecord record(JsonNode json, NameRecord before) {
    return record(json, Optional.of(before));
  }

  private static NameRecord record(JsonNode json, Optional<NameRecord> before) {
    RecordKind recordKind = kind(json.path("kind").asText());
    List<String> dependencies = new ArrayList<>();
    json.path("dependencies").forEach(each -> dependencies.add(each.asText()));
    NameRecord.Meta meta =
        new NameRecord.Meta(
            recordKind,
            text(json, "source_type").map(SourceType::new),
            dependencies,
            json.has("created_at") ? Optional.of(number(json, "created_at")) : Optional.empty(),
            number(json, "updated_at_ms"),
            json.path("retracted").asBoolean(),
            text(json, "source_branch"),
            count(json, "branches"),
            number(json, "index_rev"),
            text(json, RECORD_ID));
    return new NameRecord(
        address(json),
        meta,
        recordKind == RecordKind.LEDGER ? concern(json, Concern.HEAD, before) : ConcernValue.UNBORN,
        concern(json, Concern.INDEX, before),
        concern(json, Concern.STATUS, before),
        concern(json, Concern.CONFIG, before));
  }

  /** Returns the address of a record. */
  public static Address address(JsonNode json) {
    return Address.parse(text(json, "address").orElseThrow(() -> lacks("an address")));
  }

  private static ConcernValue concern(JsonNode json, Concern concern, Optional<NameRecord> before) {
    return before.isPresent() && !json.has(concern.text())
        ? before.get().concern(concern)
        : value(json.path(concern.text()), concern.text());
  }

  /**
   * Reads {@link #of(ConcernValue)}, {@link #exact(ConcernValue)} and {@link
   * #wireForm(ConcernValue)}.
   *
   * @param what it is, for messages
   */
  public static ConcernValue value(JsonNode json, String what) {
    JsonNode watermark = json.path("watermark");
    JsonNode payload = json.path("payload");
    if (!isLong(watermark)
        || !(payload.isObject() || payload.isNull() || payload.isMissingNode())) {
      throw new InvalidPayloadException(
          "the "
              + what
              + " has to be like {\"watermark\":1,\"payload\":{...}}, with null for no payload");
    }
    return new ConcernValue(watermark.longValue(), payload(json, payload));
  }

  private static Optional<Payload> payload(JsonNode json, JsonNode payload) {
    JsonNode text = json.path(TEXT);
    if (!text.isTextual()) {
      return payload.isObject() ? Optional.of(Payload.of(payload)) : Optional.empty();
    }
    Payload exact = Payload.parse(text.textValue());
    if (payload.isMissingNode()) {
      return Optional.of(exact);
    }
    if (!payload.isObject() || !exact.equals(Payload.of(payload))) {
      throw new InvalidPayloadException(
          "the payload_text doesn't say what the payload says; leave it out");
    }
    return Optional.of(exact);
  }

  private static RecordKind kind(String word) {
    for (RecordKind recordKind : RecordKind.values()) {
      if (recordKind.text().equals(word)) {
        return recordKind;
      }
    }
    throw lacks("a kind, ledger or graph_source");
  }

  private static Optional<String> text(JsonNode json, String member) {
    JsonNode value = json.path(member);
    return value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
  }

  private static int count(JsonNode json, String member) {
    long value = number(json, member);
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new InvalidPayloadException(
          "\"%s\" of a record is a number from 0 to %d, got %d"
              .formatted(member, Integer.MAX_VALUE, value));
    }
    return (int) value;
  }

  private static long number(JsonNode json, String member) {
    JsonNode value = json.path(member);
    if (!isLong(value)) {
      throw lacks("\"" + member + "\", a whole number");
    }
    return value.longValue();
  }

  private static boolean isLong(JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToLong();
  }

  private static InvalidPayloadException lacks(String what) {
    return new InvalidPayloadException("a record needs " + what);
  }
}
