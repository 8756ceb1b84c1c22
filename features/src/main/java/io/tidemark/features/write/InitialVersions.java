// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.geojson.Geometry;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.NamespaceBuilder.Extent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the first states of features that are written other than by a batch: finished rows, the
 * same that a batch or the trigger would make. It may be used by several threads at once.
 */
public final class InitialVersions {

  private final NamespaceTemplate namespaces;
  private final WriteValidator ids;

  /**
   * @param began when the transaction began, in milliseconds by the server's clock
   */
  public InitialVersions(
      Actor actor, String storageId, CollectionInfo collection, Txn txn, long began) {
    this.namespaces =
        new NamespaceTemplate(
            new NamespaceBuilder(actor, storageId, collection, txn, began, began));
    this.ids = new WriteValidator(collection);
  }

  /** Place and size of a geometry, as {@code naksha_qrid} and {@code naksha_extend} return them. */
  public record Measure(String qrid, long extend) {}

  /**
   * A row of HEAD.
   *
   * @param i its number
   * @param geo extended WKB; null when the feature has no geometry
   * @param json all but the geometry, in UTF-8
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on once, and compared by nobody
  public record Row(long i, byte @Nullable [] geo, byte[] json) {}

  /**
   * Returns the id under which a feature is stored; a new one if it has none.
   *
   * @throws InvalidFeatureException if the collection can't take it
   */
  public String idOf(Feature sent) {
    Write write = Write.create(sent);
    String id = ids.of(write);
    if (ids.problem(write, id).orElse(null) instanceof RowResult.Invalid invalid) {
      throw new InvalidFeatureException(invalid.message());
    }
    return id;
  }

  /** Returns the geometry that PostGIS has to measure; empty for a point and for none. */
  public static Optional<String> geometryToMeasure(Feature sent) {
    Geometry geometry = sent.geometry();
    return geometry == null || geometry.isPoint() ? Optional.empty() : Optional.of(geometry.hex());
  }

  /**
   * Returns the row of a feature, which the caller must not use any more.
   *
   * @param measure null when there is nothing to be measured
   * @param clock the server's clock, in milliseconds
   */
  public Row row(Feature sent, String id, long i, @Nullable Measure measure, long clock) {
    Geometry geometry = sent.geometry();
    Extent extent =
        measure == null
            ? Extent.withoutPostgis(geometry)
            : new Extent(measure.qrid(), measure.extend());
    if (extent == null) {
      throw new IllegalArgumentException("the geometry of feature " + id + " wasn't measured");
    }
    ObjectNode data = sent.data();
    JsonNode given = data.path("properties").path(Feature.XYZ);
    NamespaceTemplate.Values values =
        new NamespaceTemplate.Values(
            i,
            clock,
            given.path("tags").isArray() ? given.get("tags").toString() : "[]",
            given.path("crid").isTextual() ? given.get("crid").toString() : null,
            extent);
    NamespaceBuilder.propertiesOf(data, id)
        .putRawValue(Feature.XYZ, new RawValue(namespaces.of(values)));
    return new Row(i, geometry == null ? null : geometry.bytes(), GeoJson.bytes(data));
  }
}
