// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.features.BareTables.Columns;
import io.tidemark.features.Features;
import java.sql.SQLException;
import java.util.List;

/**
 * Bare inserts into tables with the nine keys of the original, in the shape that is measured. The
 * original itself isn't here; what it took was measured elsewhere together with this, so this is
 * the measure by which its figures are brought to this machine. Its rows come as texts, as the
 * clients of scripting languages send them: a measure has to be what it was there, however much
 * faster ours got.
 */
final class OriginalKeys implements Side {

  private static final String XYZ = "(jsondata->'properties'->'@ns:com:here:xyz'->>'%s')";
  private static final String TXN = "(" + XYZ.formatted("txn") + "::bigint)";
  private static final String EXTEND = "(" + XYZ.formatted("extend") + "::bigint)";

  private static final List<String> KEYS =
      List.of(
          "(" + TXN + ")",
          "USING gist (geo, " + TXN + ", " + EXTEND + ")",
          "USING gin ((jsondata->'properties'->'@ns:com:here:xyz'->'tags'), %s, %s)"
              .formatted(TXN, EXTEND),
          "(%s COLLATE \"C\", %s, %s)".formatted(XYZ.formatted("qrid"), TXN, EXTEND),
          "(%s COLLATE \"C\")".formatted(XYZ.formatted("mrid")),
          "(%s COLLATE \"C\", %s, %s)"
              .formatted(XYZ.formatted("app_id"), XYZ.formatted("updatedAt"), TXN),
          "(%s COLLATE \"C\", %s, %s)"
              .formatted(XYZ.formatted("author"), XYZ.formatted("author_ts"), TXN));

  private static final String FILLED = " WITH (fillfactor = 50)";

  private static final String INSERT =
      "INSERT INTO original (i, geo, jsondata) SELECT u.i, u.geo::geometry, u.jsondata::jsonb"
          + " FROM unnest(?::bigint[], ?::text[], ?::text[]) AS u(i, geo, jsondata)";

  private final BareTables tables;

  OriginalKeys(Features features, String url, Shape shape) throws SQLException {
    this.tables = BareTables.of(features, url, "scale", shape);
    tables.run("CREATE EXTENSION IF NOT EXISTS btree_gist");
    tables.run("CREATE EXTENSION IF NOT EXISTS btree_gin");
    String table = "CREATE TABLE original (jsondata jsonb, geo geometry(GeometryZ,4326), i bigint)";
    if (shape == Shape.TABLE) {
      tables.run(table + FILLED);
      index("original");
    } else {
      tables.run(table + " PARTITION BY LIST (substring(md5(jsondata->>'id'), 1, 1))");
      for (char leaf : Shape.DIGITS) {
        String name = "original_" + leaf;
        tables.run(
            "CREATE TABLE %s PARTITION OF original FOR VALUES IN ('%s')%s"
                .formatted(name, leaf, FILLED));
        index(name);
      }
    }
    tables.run("COMMIT");
  }

  private void index(String table) throws SQLException {
    String unique = "CREATE UNIQUE INDEX ON " + table;
    tables.run(unique + " ((jsondata->>'id') COLLATE \"C\" text_pattern_ops)");
    tables.run(unique + " (i)");
    for (String keys : KEYS) {
      tables.run("CREATE INDEX ON " + table + " " + keys);
    }
  }

  @Override
  public Step batch(Kind kind, List<Sample> samples) {
    Columns columns = tables.columns(kind, samples);
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
