// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.geojson.Geometry;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Rows of the tables of a collection: the condition that finds one by its id, and its feature. */
public final class FeatureRows {

  /** The condition that a row is in the partition of a given id, so that no other is searched. */
  static final String LEAF_OF_ID =
      " AND substring(md5(jsondata->>'id'), 1, 1) = substring(md5(?), 1, 1)";

  private FeatureRows() {}

  /**
   * Returns the condition that {@code h}, a row of HEAD, is the one of {@code u.id}. The partition
   * follows from the id, and saying so keeps PostgreSQL from searching all of them.
   */
  public static String same(CollectionInfo info) {
    String id = "(h.jsondata->>'id') COLLATE \"C\" = u.id";
    String leaf = " AND substring(md5(h.jsondata->>'id'), 1, 1) = substring(md5(u.id), 1, 1)";
    return info.partitioned() ? id + leaf : id;
  }

  /** Returns the feature in a row that begins with {@code jsondata} and {@code geo}. */
  public static Feature state(ResultSet row) throws SQLException {
    return new Feature(GeoJson.object(row.getString(1)), geometry(row));
  }

  /** Returns the column {@code geo} of such a row; null when the feature has no geometry. */
  static @Nullable Geometry geometry(ResultSet row) throws SQLException {
    String geometry = row.getString(2);
    return geometry == null ? null : new Geometry(geometry);
  }
}
