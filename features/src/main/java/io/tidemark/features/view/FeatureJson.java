// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.activity.Activity;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.query.Page;
import java.util.List;

/** Features as a GeoJSON FeatureCollection, which many programs read. */
public final class FeatureJson {

  private FeatureJson() {}

  /** One feature. */
  public static ObjectNode of(Feature feature) {
    return GeoJson.object(feature.geoJson());
  }

  /** Any number of them. */
  public static ObjectNode of(List<Feature> features) {
    ObjectNode json = empty();
    ArrayNode list = json.withArrayProperty("features");
    features.forEach(feature -> list.add(of(feature)));
    return json;
  }

  /** A page, with {@code next}: where to go on, null at the end. */
  public static ObjectNode page(Page page) {
    return of(page.features()).put("next", page.next().orElse(null));
  }

  /** What was asked for by name, with {@code missing}: the names of what isn't there. */
  public static ObjectNode found(List<Feature> features, List<String> missing) {
    ObjectNode json = of(features);
    missing.forEach(json.putArray("missing")::add);
    return json;
  }

  /** The same, where what is missing is to be found out. */
  public static ObjectNode found(
      List<Feature> features, List<String> ids, CollectionInfo collection) {
    List<String> there = features.stream().map(feature -> feature.id().orElse("")).toList();
    return found(
        features, ids.stream().filter(id -> !there.contains(collection.stored(id))).toList());
  }

  /** What was done to a feature, with how to get back to the state before; the newest first. */
  public static ObjectNode activities(List<Activity> activities) {
    ObjectNode json = empty();
    ArrayNode list = json.withArrayProperty("features");
    activities.forEach(activity -> list.add(activity.json()));
    return json;
  }

  private static ObjectNode empty() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("type", "FeatureCollection");
    json.putArray("features");
    return json;
  }
}
