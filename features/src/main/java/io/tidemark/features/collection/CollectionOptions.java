// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.collection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.model.InvalidRequestException;
import java.util.List;

/**
 * Options of a collection that were set explicitly. An option that isn't set gets its default when
 * a collection is created, and keeps its value when a collection is changed.
 */
public final class CollectionOptions {

  private static final CollectionOptions NONE =
      new CollectionOptions(JsonNodeFactory.instance.objectNode());

  private final ObjectNode chosen;

  private CollectionOptions(ObjectNode chosen) {
    this.chosen = chosen;
  }

  /**
   * Returns options of which none is set. The defaults are sixteen partitions, and history for a
   * hundred years.
   */
  public static CollectionOptions none() {
    return NONE;
  }

  /**
   * Reads the options of a request; the database checks their values.
   *
   * @throws InvalidRequestException if the author or the prefix of ids is neither text nor null,
   *     which the database would keep
   */
  public static CollectionOptions of(ObjectNode chosen) {
    for (String name : List.of("author", "idPrefix")) {
      JsonNode value = chosen.path(name);
      if (!value.isTextual() && !value.isNull() && !value.isMissingNode()) {
        throw new InvalidRequestException(
            "the option %s is a text or null, got %s".formatted(name, value));
      }
    }
    return new CollectionOptions(GeoJson.checked(chosen.deepCopy()));
  }

  /** Makes HEAD one table, for small collections; can't be changed later. */
  public CollectionOptions unpartitioned() {
    return with("partitioned", false);
  }

  /** Takes only points, and indexes them as such; can't be changed later. */
  public CollectionOptions pointsOnly() {
    return with("pointsOnly", true);
  }

  /** Keeps states that are replaced. */
  public CollectionOptions withHistory() {
    return with("historyEnabled", true);
  }

  /** Drops states that are replaced. */
  public CollectionOptions withoutHistory() {
    return with("historyEnabled", false);
  }

  /** Keeps deleted features only in the history. */
  public CollectionOptions purgingDeleted() {
    return with("autoPurge", true);
  }

  /** Keeps the last state of deleted features until it is purged. */
  public CollectionOptions keepingDeleted() {
    return with("autoPurge", false);
  }

  /** Makes the maintainer measure how the features are spread over the world. */
  public CollectionOptions optimalPartitioning() {
    return with("optimalPartitioning", true);
  }

  /** Makes the maintainer only count and measure the features. */
  public CollectionOptions noOptimalPartitioning() {
    return with("optimalPartitioning", false);
  }

  /** Sets the minimum number of days for which the history is kept. */
  public CollectionOptions maxAge(long days) {
    ObjectNode more = chosen.deepCopy();
    more.put("maxAge", days);
    return new CollectionOptions(more);
  }

  /** Sets the prefix that is removed from ids. */
  public CollectionOptions idPrefix(String prefix) {
    return with("idPrefix", prefix);
  }

  /** Keeps ids as they are given, without removing a prefix. */
  public CollectionOptions noIdPrefix() {
    return without("idPrefix");
  }

  /** Sets the author of features that are created without one. */
  public CollectionOptions author(String name) {
    return with("author", name);
  }

  /** Makes the application the author of such features. */
  public CollectionOptions noAuthor() {
    return without("author");
  }

  /** Returns the options that are set, in the form that the functions of the database take. */
  public String json() {
    return chosen.toString();
  }

  private CollectionOptions with(String name, boolean value) {
    ObjectNode more = chosen.deepCopy();
    more.put(name, value);
    return new CollectionOptions(more);
  }

  private CollectionOptions with(String name, String value) {
    ObjectNode more = chosen.deepCopy();
    more.put(name, value);
    return new CollectionOptions(more);
  }

  private CollectionOptions without(String name) {
    ObjectNode more = chosen.deepCopy();
    more.putNull(name);
    return new CollectionOptions(more);
  }
}
