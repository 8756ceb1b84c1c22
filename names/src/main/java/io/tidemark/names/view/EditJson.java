// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.EditRequest;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** JSON form of edits: {@code {"edit": "retract", "at_ms": 1705312200000, "purpose": "drop"}}. */
public final class EditJson {

  private static final String EDIT = "edit";
  private static final String AT = "at_ms";
  private static final String COMMIT = "commit";
  private static final String INDEX = "index";

  private EditJson() {}

  /** Writes an edit. */
  public static ObjectNode of(EditRequest request) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (request instanceof EditRequest.Retract retract) {
      json.put(EDIT, "retract").put(AT, retract.atMs()).put("purpose", word(retract.purpose()));
    } else if (request instanceof EditRequest.Restore restore) {
      json.put(EDIT, "restore").put(AT, restore.atMs());
    } else if (request instanceof EditRequest.Purge) {
      json.put(EDIT, "purge");
    } else if (request instanceof EditRequest.Sweep sweep) {
      json.put(EDIT, "sweep").put("which", word(sweep.which())).put("branches", sweep.branches());
      json.set("listed", RecordJson.wireForm(sweep.listed()));
    } else if (request instanceof EditRequest.Undo undo) {
      json.put(EDIT, "undo").set("made", RecordJson.wireForm(undo.made()));
    } else if (request instanceof EditRequest.ExtendHead extension) {
      json.put(EDIT, "extend_head").put(AT, extension.atMs());
      json.set("expected", RecordJson.wireForm(extension.expected()));
      json.set("next", RecordJson.wireForm(extension.next()));
    } else if (request instanceof EditRequest.Reset reset) {
      json.put(EDIT, "reset").put(AT, reset.atMs());
      json.set(COMMIT, ref(reset.commit()));
      reset.index().ifPresent(index -> json.set(INDEX, ref(index)));
    } else if (request instanceof EditRequest.Configure setUp) {
      json.put(EDIT, "configure").put(AT, setUp.atMs());
      json.put("type", setUp.type().value()).put("config", setUp.config().toJson());
      setUp.dependencies().forEach(json.putArray("dependencies")::add);
    } else if (request instanceof EditRequest.CountBranches count) {
      json.put(EDIT, "count_branches");
      count.createdAtMs().ifPresent(at -> json.put(AT, at));
    }
    return json;
  }

  /**
   * Reads an edit.
   *
   * @throws InvalidPayloadException when it is none
   */
  public static EditRequest read(JsonNode json) {
    return switch (json.path(EDIT).asText()) {
      case "retract" ->
          new EditRequest.Retract(at(json), word(json, "purpose", EditRequest.Purpose.values()));
      case "restore" -> new EditRequest.Restore(at(json));
      case "purge" -> new EditRequest.Purge();
      case "sweep" ->
          new EditRequest.Sweep(
              RecordJson.record(json.path("listed")),
              json.path("branches").asInt(),
              word(json, "which", EditRequest.Sweepable.values()));
      case "undo" -> new EditRequest.Undo(RecordJson.record(json.path("made")));
      case "extend_head" ->
          new EditRequest.ExtendHead(
              at(json),
              RecordJson.value(json.path("expected"), "expected head"),
              RecordJson.value(json.path("next"), "next head"));
      case "reset" ->
          new EditRequest.Reset(
              at(json),
              ref(json.path(COMMIT)),
              json.has(INDEX) ? Optional.of(ref(json.path(INDEX))) : Optional.empty());
      case "configure" -> configure(json);
      case "count_branches" ->
          new EditRequest.CountBranches(json.has(AT) ? Optional.of(at(json)) : Optional.empty());
      default ->
          throw new InvalidPayloadException(
              "\"edit\" must be one of retract, restore, purge, sweep, undo, extend_head, reset,"
                  + " configure and count_branches, got "
                  + json.path(EDIT));
    };
  }

  private static EditRequest configure(JsonNode json) {
    List<String> dependencies = new ArrayList<>();
    json.path("dependencies").forEach(each -> dependencies.add(each.asText()));
    return new EditRequest.Configure(
        at(json),
        new SourceType(json.path("type").asText()),
        Payload.parse(json.path("config").asText()),
        dependencies);
  }

  private static ObjectNode ref(Ref ref) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("t", ref.t());
    ref.id().ifPresent(id -> json.put("id", id));
    return json;
  }

  private static Ref ref(JsonNode json) {
    JsonNode id = json.path("id");
    return new Ref(
        id.isTextual() ? Optional.of(id.textValue()) : Optional.empty(), json.path("t").asLong());
  }

  private static long at(JsonNode json) {
    JsonNode at = json.path(AT);
    if (!at.isIntegralNumber() || !at.canConvertToLong() || at.longValue() < 0) {
      throw new InvalidPayloadException(
          "\"at_ms\" must be a number of milliseconds since 1970, got " + at);
    }
    return at.longValue();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static <E extends Enum<E>> E word(JsonNode json, String field, E[] constants) {
    for (E constant : constants) {
      if (word(constant).equals(json.path(field).asText())) {
        return constant;
      }
    }
    throw new InvalidPayloadException(
        "\"" + field + "\" must be one of " + List.of(constants) + ", got " + json.path(field));
  }
}
