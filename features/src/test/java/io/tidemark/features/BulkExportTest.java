// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadReport;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.bulk.output.CollectionExportOptions;
import io.tidemark.features.bulk.output.CollectionExportOptions.At;
import io.tidemark.features.bulk.output.CollectionExportOptions.IfExists;
import io.tidemark.features.bulk.output.CollectionExportOptions.OutputFormat;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.Write;
import io.tidemark.objects.TidemarkException;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Collections as files. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BulkExportTest {

  private static final List<String> FEATURES =
      List.of(
          "{\"id\":\"a\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[13.37,52.52,7]},"
              + "\"properties\":{\"n\":1.50,\"text\":\"it's\\n\\\"ü\\\"\"}}",
          "{\"id\":\"b\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[-1,-2],[3,4]]},\"extra\":{\"x\":1}}",
          "{\"id\":\"c\",\"geometry\":null,\"properties\":{\"n\":null}}");

  @TempDir private Path directory;

  private TestStorage storage;
  private String collection;
  private Txn first;
  private Instant between;

  @BeforeAll
  void open(PostgresServer server) throws SQLException {
    storage = TestStorage.in(server);
    collection = storage.create(CollectionOptions.none());
    first = write(FEATURES.stream().map(Feature::parse).map(Write::create).toArray(Write[]::new));
    between =
        Instant.parse(
            storage.psql.value(
                "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"));
    write(Write.delete("c"), Write.update(Feature.parse("{\"id\":\"a\"}")));
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private Txn write(Write... writes) {
    return storage.features.transact(
        ALICE,
        tx -> {
          assertThat(tx.write(collection, List.of(writes)).done()).isTrue();
          return tx.txn();
        });
  }

  private List<JsonNode> exported(CollectionExportOptions options) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long count = storage.features.bulk().export(collection, options).to(out, n -> {});
    List<JsonNode> features = new ArrayList<>();
    out.toString(StandardCharsets.UTF_8).lines().map(GeoJson::object).forEach(features::add);
    assertThat(features).hasSize((int) count);
    features.sort((x, y) -> x.get("id").textValue().compareTo(y.get("id").textValue()));
    return features;
  }

  private static String plain(JsonNode feature) {
    ObjectNode copy = feature.deepCopy();
    copy.remove("type");
    ((ObjectNode) copy.get("properties")).remove("@ns:com:here:xyz");
    return copy.toString();
  }

  @Test
  void linesOfGeoJsonHaveTheFeaturesAsTheyAre() {
    List<JsonNode> now = exported(CollectionExportOptions.of(OutputFormat.GEOJSON_SEQ));

    assertThat(now)
        .extracting(BulkExportTest::plain)
        .containsExactly(
            "{\"geometry\":null,\"id\":\"a\",\"properties\":{}}",
            "{\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[-1.0,-2.0,0.0],[3.0,4.0,0.0]]},\"id\":\"b\",\"extra\":{\"x\":1},\"properties\":{}}");
    assertThat(now.get(0).at("/properties/@ns:com:here:xyz/version").intValue()).isEqualTo(2);
  }

  @Test
  void aFeatureCollectionHoldsTheSameFeaturesAndIsWholeWhenThereAreNone() {
    String empty = storage.small();

    JsonNode all = collectionOf(collection);
    JsonNode none = collectionOf(empty);

    assertThat(all.get("type").textValue()).isEqualTo("FeatureCollection");
    assertThat(all.get("features"))
        .extracting(JsonNode::toString)
        .containsExactlyInAnyOrderElementsOf(
            exported(CollectionExportOptions.of(OutputFormat.GEOJSON_SEQ)).stream()
                .map(JsonNode::toString)
                .toList());
    assertThat(none.toString()).isEqualTo("{\"type\":\"FeatureCollection\",\"features\":[]}");
  }

  private JsonNode collectionOf(String id) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long count =
        storage
            .features
            .bulk()
            .export(id, CollectionExportOptions.of(OutputFormat.GEOJSON))
            .to(out, n -> {});
    JsonNode written = GeoJson.object(out.toString(StandardCharsets.UTF_8));
    assertThat(written.get("features")).hasSize((int) count);
    return written;
  }

  @Test
  void aFeatureCollectionIsReadByOtherToolsAndCanBeLoadedAgain() throws Exception {
    Path file = directory.resolve("out.geojson");
    long count =
        storage
            .features
            .bulk()
            .export(collection, CollectionExportOptions.of(OutputFormat.GEOJSON))
            .to(file, n -> {});
    String again = storage.small();
    LoadReport loaded =
        storage
            .features
            .bulk()
            .load(ALICE, again, Input.of(file), LoadOptions.standard())
            .run(p -> {});

    assertThat(count).isEqualTo(loaded.loaded()).isEqualTo(2);
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement();
        ResultSet read =
            statement.executeQuery(
                "SELECT string_agg(id || ' ' || coalesce(geometry::text, 'none'), ', ' ORDER BY id)"
                    + " FROM read_json('"
                    + file
                    + "')")) {
      assertThat(read.next()).isTrue();
      assertThat(read.getString(1)).isEqualTo("a none, b LINESTRING Z (-1 -2 0, 3 4 0)");
    }
  }

  @Test
  void pastStatesAreExportedByNumberOrMoment() {
    CollectionExportOptions options = CollectionExportOptions.of(OutputFormat.GEOJSON_SEQ);

    List<JsonNode> byNumber = exported(options.with(new At.Version(first)));
    List<JsonNode> byMoment = exported(options.with(new At.Moment(between)));

    assertThat(byNumber).extracting(f -> f.get("id").textValue()).containsExactly("a", "b", "c");
    assertThat(byNumber.get(0).at("/properties/n").decimalValue()).isEqualTo("1.50");
    assertThat(byMoment)
        .extracting(BulkExportTest::plain)
        .isEqualTo(byNumber.stream().map(BulkExportTest::plain).toList());
  }

  @Test
  void whatIsExportedCanBeLoadedAgain() throws IOException {
    Path file = directory.resolve("again.geojsons");
    storage
        .features
        .bulk()
        .export(
            collection,
            CollectionExportOptions.of(OutputFormat.GEOJSON_TEXT_SEQUENCE)
                .with(new At.Version(first)))
        .to(file, n -> {});

    storage
        .features
        .bulk()
        .load(
            ALICE,
            "again",
            Input.of(file),
            LoadOptions.standard().creating(CollectionOptions.none().unpartitioned()))
        .run(p -> {});

    assertThat(Files.readString(file)).startsWith("\u001e{");
    List<Feature> features = storage.features.read(r -> r.byIds("again", List.of("a", "b", "c")));
    assertThat(features).hasSize(3);
    assertThat(features.get(0).geoJson()).contains("[13.37,52.52,7.0]", "1.50", "it's\\n\\\"ü\\\"");
    assertThat(features.get(1).geoJson()).contains("\"extra\":{\"x\":1}");
  }

  /** DuckDB writes a file by several threads once it has more than a row group. */
  @Test
  void alsoAboveARowGroupOfDuckDbGeoParquetHasTheOrderOfLines() throws Exception {
    int rows = 130_000;
    Path lines = directory.resolve("many.geojsonl");
    try (BufferedWriter out = Files.newBufferedWriter(lines)) {
      for (int i = 0; i < rows; i++) {
        out.write("{\"type\":\"Feature\",\"id\":\"f%06d\",\"geometry\":null}\n".formatted(i));
      }
    }
    LoadReport loaded =
        storage
            .features
            .bulk()
            .load(
                ALICE,
                "many",
                Input.of(lines),
                LoadOptions.standard().creating(CollectionOptions.none().unpartitioned()))
            .run(p -> {});
    assertThat(loaded.loaded()).isEqualTo(rows);
    Path ordered = directory.resolve("ordered.geojsonl");
    Path parquet = directory.resolve("many.parquet");
    assertThat(
            storage
                .features
                .bulk()
                .export("many", CollectionExportOptions.of(OutputFormat.GEOJSON_SEQ))
                .to(ordered, n -> {}))
        .isEqualTo(rows);
    assertThat(
            storage
                .features
                .bulk()
                .export("many", CollectionExportOptions.of(OutputFormat.GEOPARQUET))
                .to(parquet, n -> {}))
        .isEqualTo(rows);
    List<String> expected;
    try (Stream<String> all = Files.lines(ordered)) {
      expected = all.map(line -> GeoJson.object(line).get("id").textValue()).toList();
    }
    List<String> found = new ArrayList<>();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement();
        ResultSet ids =
            statement.executeQuery(
                "SELECT id FROM read_parquet('%s', file_row_number = true) ORDER BY file_row_number"
                    .formatted(parquet))) {
      while (ids.next()) {
        found.add(ids.getString(1));
      }
    }
    assertThat(found.equals(expected)).as("the order of the lines").isTrue();
  }

  @Test
  void geoParquetIsReadByDuckDbAndSaysWhatItHolds() throws SQLException {
    Path file = directory.resolve("it's.parquet");

    long count =
        storage
            .features
            .bulk()
            .export(
                collection,
                CollectionExportOptions.of(OutputFormat.GEOPARQUET).with(new At.Version(first)))
            .to(file, n -> {});

    assertThat(count).isEqualTo(3);
    String name = file.toString().replace("'", "''");
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT id, geometry::VARCHAR, properties, xyz->>'version', members FROM read_parquet('%s') ORDER BY id"
                  .formatted(name))) {
        List<String> found = new ArrayList<>();
        while (rows.next()) {
          found.add(
              String.join(
                  " ",
                  rows.getString(1),
                  String.valueOf(rows.getString(2)),
                  rows.getString(3),
                  rows.getString(4),
                  String.valueOf(rows.getString(5))));
        }
        assertThat(found.get(0))
            .startsWith("a POINT Z (13.37 52.52 7) ")
            .contains("{\"n\": 1.50, \"text\": \"it's\\n\\\"ü\\\"\"} 1 null");
        assertThat(found.get(1))
            .startsWith("b LINESTRING Z (-1 -2 0, 3 4 0) ")
            .endsWith("{} 1 {\"extra\": {\"x\": 1}}");
        assertThat(found.get(2)).isEqualTo("c null {\"n\": null} 1 null");
      }
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT decode(value) FROM parquet_kv_metadata('%s') WHERE decode(key) = 'geo'"
                  .formatted(name))) {
        rows.next();
        assertThat(rows.getString(1))
            .isEqualTo(
                "{\"version\":\"1.1.0\",\"primary_column\":\"geometry\",\"columns\":{\"geometry\":{\"encoding\":\"WKB\",\"geometry_types\":[\"LineString Z\",\"Point Z\"],\"bbox\":[-1.0,-2.0,0.0,13.37,52.52,7.0]}}}");
      }
    }
  }

  @Test
  void aFileIsThereWhenItIsWholeAndNeverReplacesAnotherUnasked() throws IOException {
    Path place = Files.createDirectory(directory.resolve("place"));
    Path file = Files.writeString(place.resolve("x.geojsonl"), "mine");
    CollectionExportOptions options = CollectionExportOptions.of(OutputFormat.GEOJSON_SEQ);

    assertThatThrownBy(() -> storage.features.bulk().export(collection, options).to(file, n -> {}))
        .isInstanceOfSatisfying(
            TidemarkException.class, e -> assertThat(e.code()).isEqualTo("already-exists"))
        .hasMessageContaining("is there already");
    assertThatThrownBy(
            () -> storage.features.bulk().export("absent", options).to(place.resolve("y"), n -> {}))
        .isInstanceOf(CollectionNotFoundException.class);
    assertThatThrownBy(
            () ->
                storage
                    .features
                    .bulk()
                    .export(collection, options)
                    .to(place.resolve("no/y"), n -> {}))
        .isInstanceOfSatisfying(
            TidemarkException.class, e -> assertThat(e.code()).isEqualTo("storage-failure"));
    assertThat(file).hasContent("mine");
    storage.features.bulk().export(collection, options.with(IfExists.REPLACE)).to(file, n -> {});

    assertThat(Files.readAllLines(file)).hasSize(2);
    try (Stream<Path> files = Files.list(place)) {
      assertThat(files).containsExactly(file);
    }
  }
}
