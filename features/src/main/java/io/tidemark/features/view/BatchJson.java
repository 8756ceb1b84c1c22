// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.geojson.ReferenceSystem;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.write.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A batch as JSON: {@code {"writes": […], "messages": {"id": "text"}}}, where a write has an {@code
 * op} (create, update, upsert, delete or purge), the {@code feature} or its {@code id}, and the
 * uuid to {@code expect} if any. Another op is the problem of its row. A GeoJSON FeatureCollection
 * or Feature is a batch too, of upserts.
 *
 * @param writes in order
 * @param messages for the log, by their ids
 */
public record BatchJson(List<Write> writes, Map<String, String> messages) {

  private static final Set<String> OPS = Set.of("create", "update", "upsert", "delete", "purge");
  private static final Set<String> FEATURE = Set.of("op", "feature", "expect");
  private static final Set<String> NAME = Set.of("op", "id", "expect");

  public BatchJson {
    writes = List.copyOf(writes);
    messages = Map.copyOf(messages);
  }

  /**
   * Reads a batch.
   *
   * @throws InvalidRequestException if it is none
   * @throws InvalidFeatureException if a feature in it is none, or none that can be kept
   */
  public static BatchJson parse(ObjectNode json) {
    List<Write> writes = new ArrayList<>();
    switch (json.path("type").asText()) {
      case "FeatureCollection" -> {
        ReferenceSystem.requireWgs84(json);
        list(json, "features").forEach(each -> writes.add(Write.upsert(feature(each, writes))));
      }
      case "Feature" -> writes.add(Write.upsert(feature(json, writes)));
      default -> {
        JsonObjectReader batch =
            new JsonObjectReader(json, "a batch").requireOnly(Set.of("writes", "messages"));
        list(json, "writes").forEach(each -> writes.add(write(each, writes)));
        return new BatchJson(writes, messages(batch));
      }
    }
    return new BatchJson(writes, Map.of());
  }

  private static JsonNode list(ObjectNode json, String name) {
    JsonNode list = json.path(name);
    if (!list.isArray()) {
      throw new InvalidRequestException(
          "the batch has no list of \"%s\"; give that, a FeatureCollection or a Feature"
              .formatted(name));
    }
    return list;
  }

  private static Map<String, String> messages(JsonObjectReader batch) {
    Map<String, String> messages = new LinkedHashMap<>();
    batch
        .value("messages")
        .ifPresent(
            given -> {
              if (!(given instanceof ObjectNode texts)) {
                throw new InvalidRequestException(
                    "\"messages\" of a batch is an object with texts by their ids");
              }
              JsonObjectReader each = new JsonObjectReader(texts, "the messages");
              texts.fieldNames().forEachRemaining(id -> messages.put(id, each.text(id).orElse("")));
            });
    return messages;
  }

  private static Write write(JsonNode given, List<Write> before) {
    String place = "write " + (before.size() + 1);
    if (!(given instanceof ObjectNode json)) {
      throw new InvalidRequestException(place + " is no object");
    }
    String op = json.path("op").asText();
    if (!OPS.contains(op)) {
      return new Write.Unknown(op, json.path("id").asText(json.at("/feature/id").asText()));
    }
    boolean named = op.equals("delete") || op.equals("purge");
    JsonObjectReader write = new JsonObjectReader(json, place).requireOnly(named ? NAME : FEATURE);
    @Nullable String expect = write.text("expect").orElse(null);
    if (named) {
      String id = write.text("id").orElseThrow(() -> missing(place, "id"));
      return op.equals("delete") ? new Write.Delete(id, expect) : new Write.Purge(id, expect);
    }
    JsonNode feature = write.value("feature").orElseThrow(() -> missing(place, "feature"));
    return switch (op) {
      case "create" -> {
        if (expect != null) {
          throw new InvalidRequestException(
              place + " expects a state of what is to be created; leave out \"expect\"");
        }
        yield Write.create(feature(feature, before));
      }
      case "update" -> new Write.Update(feature(feature, before), expect);
      default -> new Write.Upsert(feature(feature, before), expect);
    };
  }

  private static InvalidRequestException missing(String place, String member) {
    return new InvalidRequestException(place + " needs \"" + member + "\"");
  }

  private static Feature feature(JsonNode given, List<Write> before) {
    String place = "feature " + (before.size() + 1);
    if (!(given instanceof ObjectNode json)) {
      throw new InvalidFeatureException(place + " is no object");
    }
    try {
      return Feature.of(json);
    } catch (InvalidFeatureException e) {
      String id = json.path("id").isTextual() ? " (" + json.path("id").textValue() + ")" : "";
      throw new InvalidFeatureException(place + id + ": " + e.getMessage(), e);
    }
  }
}
