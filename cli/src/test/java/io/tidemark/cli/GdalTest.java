// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * GDAL as the judge of files and tables, by the commands that docs/design/features.md shows. {@code
 * ./check} installs it.
 */
class GdalTest extends FeatureCommandFixture {

  private static final String ROADS =
      """
      {"type": "FeatureCollection", "features": [
       {"type": "Feature", "properties": {"code": "r1", "name": "Straße", "lanes": 2},
        "geometry": {"type": "LineString", "coordinates": [[8.5, 50.25], [8.75, 50.5]]}},
       {"type": "Feature", "properties": {"code": "r2", "name": "橋", "lanes": null},
        "geometry": {"type": "LineString", "coordinates": [[-70.5, -33.25], [-70.25, -33.125]]}}]}
      """;

  private static final String ROWS =
      """
      WKT,code,name,lanes
      "LINESTRING (8.5 50.25,8.75 50.5)",r1,Straße,2
      "LINESTRING (-70.5 -33.25,-70.25 -33.125)",r2,橋,
      """;

  @BeforeAll
  static void requireGdal() {
    assertThat(System.getenv().getOrDefault("PATH", "").split(":"))
        .as("ogr2ogr has to be on the PATH; ./check installs it (Debian: gdal-bin)")
        .anyMatch(each -> Files.isExecutable(Path.of(each, "ogr2ogr")));
  }

  private record Ran(int exitCode, String out, String err) {}

  private Ran gdal(Map<String, String> environment, String... words)
      throws IOException, InterruptedException {
    Path out = directory.resolve("gdal.out");
    Path err = directory.resolve("gdal.err");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    int exitCode = builder.start().waitFor();
    return new Ran(exitCode, Files.readString(out), Files.readString(err));
  }

  private String gdal(String... words) throws IOException, InterruptedException {
    Ran ran = gdal(Map.of(), words);
    assertThat(ran.exitCode()).as("%s: %s", List.of(words), ran.err()).isZero();
    return ran.out();
  }

  /** The rows of a file or a table, sorted, with coordinates to five digits. */
  private String rows(String... source) throws IOException, InterruptedException {
    String[] before = {
      "ogr2ogr",
      "-f",
      "CSV",
      "-lco",
      "GEOMETRY=AS_WKT",
      "-lco",
      "STRING_QUOTING=IF_NEEDED",
      "/vsistdout/",
      "-dim",
      "XY"
    };
    return gdal(Stream.of(before, source).flatMap(Stream::of).toArray(String[]::new));
  }

  private String at(String name) {
    return directory.resolve(name).toString();
  }

  private void load(String... options) throws IOException, InterruptedException {
    String roads = file("roads.geojson", ROADS);
    gdal("ogr2ogr", "-f", "GPKG", "-t_srs", "EPSG:3857", at("roads.gpkg"), roads);
    String lines =
        gdal(
            Stream.concat(
                    Stream.of("ogr2ogr", "-f", "GeoJSONSeq", "-t_srs", "EPSG:4326"),
                    Stream.of(
                        "-lco",
                        "COORDINATE_PRECISION=5",
                        "-lco",
                        "ID_FIELD=code",
                        "/vsistdout/",
                        at("roads.gpkg")))
                .toArray(String[]::new));
    String[] words =
        Stream.concat(Stream.of("load", "roads", "-", "--create"), Stream.of(options))
            .toArray(String[]::new);
    assertThat(told(lines.getBytes(StandardCharsets.UTF_8), words).out())
        .startsWith("2 features loaded into roads");
  }

  @Test
  void whatItWritesIsLoadedAndWhatIsExportedItReads() throws Exception {
    load();

    for (String name : List.of("out.geojson", "out.geojsonl")) {
      done("export", "roads", at(name));
      assertThat(rows("-sql", "SELECT id AS code, name, lanes FROM out ORDER BY id", at(name)))
          .as(name)
          .isEqualTo(ROWS);
    }
  }

  @Test
  void coordinatesOfAnotherSystemAreRefusedUntilItReprojectsThem() throws Exception {
    String roads = file("roads.geojson", ROADS);
    gdal("ogr2ogr", "-f", "GeoJSON", "-t_srs", "EPSG:3857", at("mercator.geojson"), roads);

    failed(4, "EPSG::3857", "load", "roads", at("mercator.geojson"), "--create");
    gdal(
        Stream.of("ogr2ogr -t_srs EPSG:4326 -lco RFC7946=YES OUT IN".split(" "))
            .map(each -> each.equals("OUT") ? at("degrees.geojson") : each)
            .map(each -> each.equals("IN") ? at("mercator.geojson") : each)
            .toArray(String[]::new));
    assertThat(done("load", "roads", at("degrees.geojson"), "--create"))
        .startsWith("2 features loaded into roads");
  }

  @Test
  void itReadsATableAndEditsItUnderANameGivenByPgoptions() throws Exception {
    load("--one-table");
    String database = database();

    assertThat(
            rows(
                "-sql",
                "SELECT ST_Force2D(geo) AS geo, jsondata->>'id' AS code, jsondata#>>'{properties,name}' AS name,"
                    + " (jsondata#>>'{properties,lanes}')::int AS lanes FROM roads ORDER BY 2",
                database))
        .isEqualTo(ROWS);

    String[] edit = {
      "ogrinfo",
      database,
      "-sql",
      "UPDATE roads SET jsondata = jsonb_set(jsondata, '{properties,lanes}', '4')"
          + " WHERE jsondata->>'id' = 'r1'"
    };
    assertThat(gdal(Map.of(), edit).err())
        .contains("nobody has said who writes in this transaction");
    Ran edited = gdal(Map.of("PGOPTIONS", "-c naksha.app_id=qgis -c naksha.author=alice"), edit);
    assertThat(edited.err()).isEmpty();
    assertThat(done("history", "roads", "r1").lines().skip(2))
        .singleElement()
        .asString()
        .contains("UPDATE", "alice", "qgis", "lanes 2 -> 4");
  }

  private String database() {
    URI there = URI.create(url.substring("jdbc:".length()));
    Map<String, String> parameters =
        Stream.of(there.getRawQuery().split("&"))
            .map(each -> each.split("=", 2))
            .collect(Collectors.toMap(each -> each[0], each -> each[1]));
    return "PG:host=%s port=%d dbname=%s user=%s password=%s"
        .formatted(
            there.getHost(),
            there.getPort(),
            there.getPath().substring(1),
            parameters.getOrDefault("user", ""),
            parameters.getOrDefault("password", ""));
  }
}
