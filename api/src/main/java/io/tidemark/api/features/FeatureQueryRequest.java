// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Query of features by place, tags, properties and more. Each part that is given narrows the
 * result. At most one of {@code at}, {@code deleted} and {@code versions} is given.
 *
 * @param collections ids of the collections
 * @param ids ids of features; empty for all
 * @param bbox box that features have to touch, {@code west,south,east,north}
 * @param tile quadkey of a tile of a web map that they have to touch
 * @param hereTile quadkey of a HERE tile that they have to touch
 * @param margin pixels around the tile, which is 256 wide
 * @param near place and distance, {@code lon,lat,metres}
 * @param geometry GeoJSON geometry that they have to touch, a feature that has one, or its text
 * @param radius distance from the geometry in metres
 * @param outside whether features that touch the one given place are left out, not kept
 * @param clip whether geometries are cut to the place
 * @param tags tags such as {@code a,b} for one of them and {@code a+b} for both
 * @param where conditions that all have to be true, such as {@code p.speed>=50}
 * @param select properties to return, such as {@code p.name}; none for all
 * @param order order such as {@code p.name}, descending with a minus before it
 * @param limit maximum number of features
 * @param cursor end of the page before, see {@link FeaturePage#next()}
 * @param at past state; empty for the current one
 * @param deleted whether the last states of deleted features are returned, too
 * @param versions whether all kept states are returned
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record FeatureQueryRequest(
    List<String> collections,
    Optional<List<String>> ids,
    @JsonDeserialize(contentUsing = BoxReader.class) Optional<String> bbox,
    Optional<String> tile,
    Optional<String> hereTile,
    OptionalInt margin,
    Optional<String> near,
    Optional<JsonNode> geometry,
    Optional<Double> radius,
    boolean outside,
    boolean clip,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> tags,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> where,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> select,
    Optional<String> order,
    OptionalInt limit,
    Optional<String> cursor,
    Optional<FeatureMoment> at,
    boolean deleted,
    boolean versions)
    implements FeatureQueryRequestBuilder.With {

  public FeatureQueryRequest {
    collections = List.copyOf(collections);
    ids = ids.map(List::copyOf);
    geometry = geometry.filter(given -> !given.isNull());
    tags = List.copyOf(tags);
    where = List.copyOf(where);
    select = List.copyOf(select);
  }

  /** Returns the query of all features of collections. */
  public static FeatureQueryRequest of(String... collections) {
    return new FeatureQueryRequest(
        List.of(collections),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        false,
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        false);
  }

  /** Returns the query with one more condition. */
  public FeatureQueryRequest where(String condition) {
    List<String> all = new ArrayList<>(where);
    all.add(condition);
    return withWhere(all);
  }

  /** Returns the query of features that touch a box, in degrees. */
  public FeatureQueryRequest box(double west, double south, double east, double north) {
    return withBbox(Optional.of(west + "," + south + "," + east + "," + north));
  }

  /** Returns the query with a maximum number of features. */
  public FeatureQueryRequest limit(int features) {
    return withLimit(OptionalInt.of(features));
  }

  /** Returns the query of a past state. */
  public FeatureQueryRequest at(FeatureMoment moment) {
    return withAt(Optional.of(moment));
  }
}
