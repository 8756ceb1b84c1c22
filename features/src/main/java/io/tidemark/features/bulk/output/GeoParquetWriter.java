// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.output;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.internal.files.NewFile;
import io.tidemark.objects.natives.DuckDbLibrary;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * Writer of GeoParquet 1.1 by way of DuckDB: the features are inserted into a table of a temporary
 * database beside the file, so that memory doesn't limit their number, and copied from there.
 *
 * <p>A row has the id, the geometry as WKB, and as JSON texts the properties, the namespace and the
 * other members of the feature. The GeoParquet metadata of the geometries is written here: DuckDB
 * would need an extension for it, which may not be installed.
 */
final class GeoParquetWriter {

  private static final int OFTEN = 1_000;
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final List<String> COLUMNS =
      List.of(
          "jsondata->>'id'",
          "@geo@.st_asbinary(geo, 'NDR')",
          "((jsondata->'properties') - '@ns:com:here:xyz')::text",
          "(jsondata->'properties'->'@ns:com:here:xyz')::text",
          "nullif(jsondata - '{id,type,properties}'::text[], '{}')::text",
          "@geo@.geometrytype(geo)",
          "@geo@.st_xmin(geo)",
          "@geo@.st_ymin(geo)",
          "@geo@.st_zmin(geo)",
          "@geo@.st_xmax(geo)",
          "@geo@.st_ymax(geo)",
          "@geo@.st_zmax(geo)");

  /** Geometry types of PostGIS, with the names that GeoParquet uses. */
  private static final Map<String, String> TYPES =
      Map.of(
          "POINT", "Point Z",
          "LINESTRING", "LineString Z",
          "POLYGON", "Polygon Z",
          "MULTIPOINT", "MultiPoint Z",
          "MULTILINESTRING", "MultiLineString Z",
          "MULTIPOLYGON", "MultiPolygon Z",
          "GEOMETRYCOLLECTION", "GeometryCollection Z");

  private final NewFile file;
  private final LongConsumer listener;
  private final TreeSet<String> types = new TreeSet<>();
  private final double[] bounds = new double[6];
  private boolean bounded;
  private long count;

  GeoParquetWriter(NewFile file, LongConsumer listener) {
    this.file = file;
    this.listener = listener;
  }

  /** Writes all; returns how many there were. */
  long write(StateReader stateReader) {
    DuckDbLibrary.prepare();
    String url = "jdbc:duckdb:" + file.scratch();
    try (DuckDBConnection duckdb = (DuckDBConnection) DriverManager.getConnection(url);
        Statement statement = duckdb.createStatement()) {
      statement.execute("SET memory_limit = '1GB'");
      statement.execute(
          "CREATE TABLE features (id VARCHAR, geometry BLOB, properties VARCHAR, xyz VARCHAR,"
              + " members VARCHAR)");
      try (DuckDBAppender appender = duckdb.createAppender("main", "features")) {
        stateReader.each(COLUMNS, row -> take(row, appender));
      }
      statement.execute(
          "COPY features TO '%s' (FORMAT parquet, COMPRESSION zstd, KV_METADATA {geo: '%s'})"
              .formatted(quoted(file.part()), metadata().toString().replace("'", "''")));
    } catch (SQLException e) {
      throw NewFile.failure(file.part(), e);
    }
    return count;
  }

  /** Errors of PostgreSQL are reported by the reader that ran the query, errors of DuckDB here. */
  private void take(ResultSet row, DuckDBAppender appender) throws SQLException {
    byte[] geometry = row.getBytes(2);
    String[] texts = {
      row.getString(1), row.getString(3), row.getString(4), row.getString(5),
    };
    if (geometry != null) {
      note(row);
    }
    try {
      append(appender, geometry, texts);
    } catch (SQLException e) {
      throw NewFile.failure(file.part(), e);
    }
    if (++count % OFTEN == 0) {
      listener.accept(count);
    }
  }

  private static void append(DuckDBAppender appender, byte @Nullable [] geometry, String[] texts)
      throws SQLException {
    appender.beginRow();
    appender.append(texts[0]);
    if (geometry == null) {
      appender.appendNull();
    } else {
      appender.append(geometry);
    }
    for (int i = 1; i < texts.length; i++) {
      appender.append(texts[i]);
    }
    appender.endRow();
  }

  private void note(ResultSet row) throws SQLException {
    types.add(TYPES.getOrDefault(row.getString(6), ""));
    row.getDouble(7);
    if (row.wasNull()) {
      return; // a geometry without a point
    }
    for (int i = 0; i < 6; i++) {
      double value = row.getDouble(7 + i);
      bounds[i] =
          !bounded ? value : i < 3 ? Math.min(bounds[i], value) : Math.max(bounds[i], value);
    }
    bounded = true;
  }

  /** Without a crs, coordinates are longitude and latitude in WGS 84. */
  private ObjectNode metadata() {
    ObjectNode geo = JSON.objectNode().put("version", "1.1.0").put("primary_column", "geometry");
    ObjectNode column = geo.putObject("columns").putObject("geometry").put("encoding", "WKB");
    ArrayNode known = column.putArray("geometry_types");
    types.stream().filter(type -> !type.isEmpty()).forEach(known::add);
    if (bounded) {
      ArrayNode bbox = column.putArray("bbox");
      for (double bound : bounds) {
        bbox.add(bound);
      }
    }
    return geo;
  }

  private static String quoted(Path path) {
    return path.toString().replace("'", "''");
  }
}
