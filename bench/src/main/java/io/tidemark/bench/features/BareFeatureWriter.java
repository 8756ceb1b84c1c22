// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.features.BareTables.Columns;
import io.tidemark.features.Features;
import java.sql.SQLException;
import java.util.List;

/** The bare statements, without history, log or anything else; namespaces come prepared. */
final class BareFeatureWriter implements FeatureWriter {

  static final String INSERT =
      "INSERT INTO %s (i, geo, jsondata) SELECT u.i, u.geo::geometry, u.jsondata::jsonb"
          + " FROM (SELECT unnest(?::bigint[]) AS i, unnest(?::text[]) AS geo,"
          + " unnest(?::text[]) AS jsondata) AS u";

  private static final String UPDATE =
      "UPDATE %s h SET i = u.i, geo = u.geo::geometry, jsondata = u.jsondata::jsonb FROM"
          + " (SELECT unnest(?::text[]) AS id, unnest(?::bigint[]) AS i, unnest(?::text[]) AS geo,"
          + " unnest(?::text[]) AS jsondata) AS u WHERE ";

  private static final String DELETE = "DELETE FROM %s h USING unnest(?::text[]) AS u(id) WHERE ";

  private static final String TABLE = "bare";

  private final BareTables tables;
  private final CollectionShape collectionShape;

  BareFeatureWriter(Features features, String url, CollectionShape collectionShape)
      throws SQLException {
    this.tables = BareTables.of(features, url, TABLE, collectionShape);
    this.collectionShape = collectionShape;
  }

  @Override
  public PreparedBatch batch(WriteKind writeKind, List<SampleFeature> samples) {
    Columns columns = tables.columns(writeKind, samples);
    return switch (writeKind) {
      case INSERT ->
          () ->
              tables.change(
                  INSERT.formatted(TABLE),
                  columns.numbers(),
                  columns.geometries(),
                  columns.states());
      // Those that are there are updated; no bare upsert works on a partitioned HEAD.
      case UPDATE, UPSERT ->
          () ->
              tables.change(
                  UPDATE.formatted(TABLE) + collectionShape.same(),
                  columns.ids(),
                  columns.numbers(),
                  columns.geometries(),
                  columns.states());
      case DELETE ->
          () -> tables.change(DELETE.formatted(TABLE) + collectionShape.same(), columns.ids());
    };
  }

  @Override
  public long pid() throws SQLException {
    return tables.pid();
  }

  @Override
  public void close() throws SQLException {
    tables.close();
  }
}
