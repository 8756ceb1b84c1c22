// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.geojson.GeoJson;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Description of a collection: the comment on its table.
 *
 * @param json the comment
 */
public record CollectionInfo(JsonNode json) {

  public CollectionInfo {
    json = json.deepCopy();
  }

  public static CollectionInfo parse(String text) {
    return new CollectionInfo(GeoJson.object(text));
  }

  public String id() {
    return json.path("id").asText();
  }

  /** Returns whether the collection is hidden and takes no features until it is restored. */
  public boolean deleted() {
    return json.path("deleted").asBoolean();
  }

  public boolean historyEnabled() {
    return json.path("historyEnabled").asBoolean();
  }

  public boolean partitioned() {
    return json.path("partitioned").asBoolean();
  }

  public boolean pointsOnly() {
    return json.path("pointsOnly").asBoolean();
  }

  public boolean autoPurge() {
    return json.path("autoPurge").asBoolean();
  }

  /** Returns whether the maintainer measures how the features are spread over the world. */
  public boolean optimalPartitioning() {
    return json.path("optimalPartitioning").asBoolean();
  }

  /** Returns the number of days for which the history is kept. */
  public long maxAge() {
    return json.path("maxAge").asLong();
  }

  public Optional<String> idPrefix() {
    return text("idPrefix");
  }

  /** Returns an id as it is stored: without the prefix, which is taken off once. */
  public String stored(String id) {
    String prefix = idPrefix().orElse("");
    return id.startsWith(prefix) ? id.substring(prefix.length()) : id;
  }

  public Optional<String> author() {
    return text("author");
  }

  /**
   * Returns an estimate of the number of features; empty until PostgreSQL has analysed all of the
   * tables.
   */
  public OptionalLong estimatedFeatureCount() {
    return number("estimatedFeatureCount");
  }

  /**
   * Returns the size of the longest feature as text, without its geometry; empty until it is
   * measured.
   */
  public OptionalLong byteSize() {
    return number("byteSize");
  }

  /**
   * Returns the size of the largest feature as PostgreSQL stores it, without its geometry. Only
   * long values are compressed; short ones take more than their text.
   */
  public OptionalLong compressedSize() {
    return number("compressedSize");
  }

  private OptionalLong number(String name) {
    JsonNode number = json.path(name);
    return number.isNumber() ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
  }

  private Optional<String> text(String name) {
    return json.path(name).isTextual()
        ? Optional.of(json.path(name).textValue())
        : Optional.empty();
  }
}
