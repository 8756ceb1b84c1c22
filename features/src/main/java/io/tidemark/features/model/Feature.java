// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.geojson.Geometry;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.geojson.PostgresText;
import io.tidemark.features.geojson.ReferenceSystem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A GeoJSON feature: client input, or a stored state. */
public final class Feature {

  /** The property that holds the {@link XyzNamespace namespace}. */
  public static final String XYZ = "@ns:com:here:xyz";

  /** The maximum length of an id, in characters. */
  public static final int LONGEST_ID = 255;

  /** A crid is an index key; a longer one doesn't fit into an index of PostgreSQL. */
  private static final int LONGEST_CRID = 500;

  private final ObjectNode data;
  private final @Nullable Geometry geometry;

  /**
   * Creates a feature from parts that are known to be valid.
   *
   * @param data all but the geometry; must not be changed from here on
   */
  public Feature(ObjectNode data, @Nullable Geometry geometry) {
    this.data = data;
    this.geometry = geometry;
  }

  /**
   * Parses a feature from client input.
   *
   * @throws InvalidFeatureException if it isn't a feature, or can't be stored
   */
  public static Feature parse(String geoJson) {
    return unpacked(GeoJson.parseInput(geoJson));
  }

  /** Parses a feature from client input in UTF-8; malformed bytes are refused. */
  public static Feature parse(byte[] geoJson) {
    return unpacked(GeoJson.parseInput(geoJson));
  }

  /**
   * Takes over an object that the caller has built, and validates it.
   *
   * @param data the feature, which the caller must not use from here on
   * @throws InvalidFeatureException if it isn't a feature, or can't be stored
   */
  public static Feature of(ObjectNode data) {
    return unpacked(GeoJson.requireLength(GeoJson.checked(data)));
  }

  private static Feature unpacked(ObjectNode data) {
    if (!data.path("type").asText("Feature").equals("Feature")) {
      throw new InvalidFeatureException(
          "the object has the type %s; only features are taken".formatted(data.get("type")));
    }
    ReferenceSystem.requireWgs84(data);
    JsonNode properties = data.path("properties");
    if (!properties.isObject() && !properties.isNull() && !properties.isMissingNode()) {
      throw new InvalidFeatureException(
          "the properties are no object but " + properties.getNodeType());
    }
    JsonNode id = data.path("id");
    if (id.isContainerNode() || id.isBoolean()) {
      throw new InvalidFeatureException(
          "the id is %s; give a text or a number".formatted(id.getNodeType()));
    }
    JsonNode geometry = data.remove("geometry");
    Feature feature =
        new Feature(data, geometry == null || geometry.isNull() ? null : Geometry.of(geometry));
    feature.id().ifPresent(Feature::checkId);
    JsonNode crid = properties.path(XYZ).path("crid");
    if (crid.isTextual() && PostgresText.length(crid.textValue()) > LONGEST_CRID) {
      throw new InvalidFeatureException(
          "the crid has %d characters; give at most %d"
              .formatted(PostgresText.length(crid.textValue()), LONGEST_CRID));
    }
    return feature;
  }

  static void checkId(String id) {
    if (id.isEmpty() || PostgresText.length(id) > LONGEST_ID || id.indexOf('\0') >= 0) {
      throw new InvalidFeatureException(
          "an id of %d characters; give 1 to %d, without NUL"
              .formatted(PostgresText.length(id), LONGEST_ID));
    }
  }

  /** Returns the id; a number counts as its digits, written out as the database does. */
  public Optional<String> id() {
    JsonNode id = data.path("id");
    if (id.isFloatingPointNumber()) {
      return Optional.of(id.decimalValue().toPlainString());
    }
    return id.isTextual() || id.isNumber() ? Optional.of(id.asText()) : Optional.empty();
  }

  /**
   * Returns the namespace that the storage has of this state, or that a client sent; empty when
   * there is none.
   */
  public Optional<XyzNamespace> xyz() {
    return data.path("properties").path(XYZ) instanceof ObjectNode xyz
        ? Optional.of(new XyzNamespace(xyz))
        : Optional.empty();
  }

  /** Returns the tags, in their order. */
  public List<String> tags() {
    return xyz().map(XyzNamespace::tags).orElse(List.of());
  }

  /**
   * Returns a copy with other tags, to be written.
   *
   * @throws InvalidFeatureException if PostgreSQL couldn't keep one of them, or they are too many
   */
  public Feature withTags(List<String> tags) {
    ObjectNode tagged = data.deepCopy();
    ArrayNode list = object(object(tagged, "properties"), XYZ).putArray("tags");
    for (String tag : tags) {
      if (!PostgresText.isStorable(tag)) {
        throw new InvalidFeatureException(
            ("a tag of feature '%s' has half a character or a NUL in it, which PostgreSQL can't"
                    + " keep; take it out")
                .formatted(id().orElse("")));
      }
      list.add(tag);
    }
    return new Feature(GeoJson.requireLength(tagged), geometry);
  }

  private static ObjectNode object(ObjectNode in, String name) {
    return in.get(name) instanceof ObjectNode there ? there : in.putObject(name);
  }

  /** Returns the whole feature, as a copy. */
  public ObjectNode json() {
    ObjectNode whole = data.deepCopy();
    whole.set("geometry", geometry == null ? whole.nullNode() : geometry.geoJson());
    return whole;
  }

  /** Returns the whole feature as text. */
  public String geoJson() {
    return json().toString();
  }

  /** Returns all but the geometry, not a copy. */
  public ObjectNode data() {
    return data;
  }

  /** Returns the geometry; null when the feature has none. */
  public @Nullable Geometry geometry() {
    return geometry;
  }

  @Override
  public String toString() {
    return geoJson();
  }
}
