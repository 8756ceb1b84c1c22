// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.features.BareTables.Columns;
import io.tidemark.features.Features;
import java.sql.SQLException;
import java.util.List;

/**
 * Bare inserts into one table with the nine keys of the original. The original itself isn't here;
 * what it took was measured elsewhere together with this, so this is the measure by which its
 * figures are brought to this machine. Its rows come as texts, as the clients of scripting
 * languages send them: a measure has to be what it was there, however much faster ours got.
 */
final class NineIndexFeatureWriter implements FeatureWriter {

  private static final String XYZ = "(jsondata->'properties'->'@ns:com:here:xyz'->>'%s')";
  private static final String TXN = "(" + XYZ.formatted("txn") + "::bigint)";
  private static final String EXTEND = "(" + XYZ.formatted("extend") + "::bigint)";

  private static final String INSERT =
      "INSERT INTO original (i, geo, jsondata) SELECT u.i, u.geo::geometry, u.jsondata::jsonb"
          + " FROM unnest(?::bigint[], ?::text[], ?::text[]) AS u(i, geo, jsondata)";

  private final BareTables tables;

  NineIndexFeatureWriter(Features features, String url) throws SQLException {
    this.tables = BareTables.of(features, url, "scale", CollectionShape.TABLE);
    tables.run("CREATE EXTENSION IF NOT EXISTS btree_gist");
    tables.run("CREATE EXTENSION IF NOT EXISTS btree_gin");
    tables.run(
        "CREATE TABLE original (jsondata jsonb, geo geometry(GeometryZ,4326), i bigint)"
            + " WITH (fillfactor = 50)");
    tables.run(
        "CREATE UNIQUE INDEX ON original ((jsondata->>'id') COLLATE \"C\" text_pattern_ops)");
    tables.run("CREATE UNIQUE INDEX ON original (i)");
    index("(" + TXN + ")");
    index("USING gist (geo, " + TXN + ", " + EXTEND + ")");
    index(
        "USING gin ((jsondata->'properties'->'@ns:com:here:xyz'->'tags'), "
            + TXN
            + ", "
            + EXTEND
            + ")");
    index("(" + XYZ.formatted("qrid") + " COLLATE \"C\", " + TXN + ", " + EXTEND + ")");
    index("(" + XYZ.formatted("mrid") + " COLLATE \"C\")");
    index(
        "(%s COLLATE \"C\", %s, %s)"
            .formatted(XYZ.formatted("app_id"), XYZ.formatted("updatedAt"), TXN));
    index(
        "(%s COLLATE \"C\", %s, %s)"
            .formatted(XYZ.formatted("author"), XYZ.formatted("author_ts"), TXN));
    tables.run("COMMIT");
  }

  private void index(String keys) throws SQLException {
    tables.run("CREATE INDEX ON original " + keys);
  }

  @Override
  public PreparedBatch batch(WriteKind writeKind, List<SampleFeature> samples) {
    Columns columns = tables.columns(writeKind, samples);
    return () ->
        tables.changeByTexts(INSERT, columns.numbers(), columns.geometries(), columns.states());
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
