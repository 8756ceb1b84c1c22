// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.activity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.model.Feature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Change of a feature: the resulting state, whose id is the GUID of the state, with {@code
 * properties."@ns:com:here:xyz:log"}:
 *
 * <ul>
 *   <li>{@code id} of the feature and {@code action}
 *   <li>{@code original}: {@code space} (the collection), {@code puuid}, {@code createdAt} and
 *       {@code updatedAt}
 *   <li>{@code diff}, of an UPDATE whose previous state is kept: the way back to that state, as a
 *       JSON patch in {@code ops}, with the number of its {@code add}, {@code remove} and {@code
 *       replace}
 * </ul>
 *
 * @param json the activity
 */
public record Activity(JsonNode json) {

  private static final String XYZ = "@ns:com:here:xyz";
  private static final String LOG = "@ns:com:here:xyz:log";
  private static final String PROPERTIES = "properties";

  public Activity {
    json = json.deepCopy();
  }

  /**
   * Returns the activities of a feature, newest first.
   *
   * @param states all states that are kept, oldest first
   */
  public static List<Activity> of(String collection, List<Feature> states) {
    Map<String, ObjectNode> byUuid = new HashMap<>();
    List<Activity> activities = new ArrayList<>();
    for (Feature state : states) {
      ObjectNode json = GeoJson.object(state.geoJson());
      JsonNode xyz = json.path(PROPERTIES).path(XYZ);
      String uuid = xyz.path("uuid").asText("");
      String puuid = xyz.path("puuid").asText("");
      boolean update = xyz.path("action").asText().equals("UPDATE");
      // A row that bypassed the triggers without a uuid isn't the previous state of any row.
      ObjectNode before = update && !puuid.isEmpty() ? byUuid.get(puuid) : null;
      byUuid.put(uuid, json);
      activities.add(0, activity(collection, json, before));
    }
    return activities;
  }

  private static Activity activity(
      String collection, ObjectNode state, @Nullable ObjectNode before) {
    ObjectNode entry = state.deepCopy();
    JsonNode xyz = state.path(PROPERTIES).path(XYZ);
    ObjectNode log = entry.withObjectProperty(PROPERTIES).putObject(LOG);
    log.set("id", state.path("id"));
    log.set("action", xyz.path("action"));
    ObjectNode original = log.putObject("original").put("space", collection);
    for (String field : List.of("puuid", "createdAt", "updatedAt")) {
      original.set(field, xyz.path(field));
    }
    log.set("diff", before == null ? log.nullNode() : FeatureDiff.between(state, before));
    entry.set("id", xyz.path("uuid"));
    return new Activity(entry);
  }

  /** Returns CREATE, UPDATE or DELETE. */
  public String action() {
    return log().path("action").asText();
  }

  /** Returns the way back to the previous state; empty when there was none, or it isn't kept. */
  public Optional<JsonNode> diff() {
    JsonNode diff = log().path("diff");
    return diff.isObject() ? Optional.of(diff) : Optional.empty();
  }

  private JsonNode log() {
    return json.path(PROPERTIES).path(LOG);
  }
}
