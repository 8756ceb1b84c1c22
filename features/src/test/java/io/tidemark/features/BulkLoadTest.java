// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.bulk.CollectionLoad;
import io.tidemark.features.bulk.DuplicateIdException;
import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadOptions.Duplicates;
import io.tidemark.features.bulk.LoadOptions.Existing;
import io.tidemark.features.bulk.LoadProgress;
import io.tidemark.features.bulk.LoadProgress.Phase;
import io.tidemark.features.bulk.LoadRefusedException;
import io.tidemark.features.bulk.LoadReport;
import io.tidemark.features.bulk.LoadStoppedException;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.bulk.input.InvalidInputException;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads of files; decision 12 and resolution 39. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BulkLoadTest {

  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** All kinds of features: what the trigger makes of them is what a load has to make. */
  private static final List<String> FEATURES =
      List.of(
          "{\"id\":\"point\",\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[13.37,52.52]},"
              + "\"properties\":{\"n\":1.50,\"@ns:com:here:xyz\":{\"tags\":[\"a\",\"@B\"],\"crid\":\"c1\",\"uuid\":\"zzz\",\"txn\":5}}}",
          "{\"id\":\"line\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[5,6,7],[8,9]]},"
              + "\"properties\":{\"text\":\"ein \\\"Wort\\\" mit \\\\ und ü\"}}",
          "{\"id\":\"area\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[2,0],[2,1],[0,0]]]},"
              + "\"properties\":null,\"extra\":[1,{\"a\":null}]}",
          "{\"id\":\"many\",\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0,0],[2,0],[2,1],[0,0]]]]}}",
          "{\"id\":\"parts\",\"geometry\":{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[1,2]}]}}",
          "{\"id\":\"nowhere\",\"geometry\":null,\"properties\":{\"@ns:com:here:xyz\":{\"tags\":7}}}",
          "{\"id\":12345,\"properties\":{\"big\":12345678901234567890.123}}");

  @TempDir private Path directory;

  private TestStorage storage;
  private Psql psql;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private static String name() {
    return "l" + NUMBER.incrementAndGet();
  }

  private Path file(String name, String... lines) throws IOException {
    Path file = directory.resolve(NUMBER.incrementAndGet() + name);
    return Files.writeString(file, String.join("\n", lines) + "\n");
  }

  private static String point(String id, int n) {
    return "{\"type\":\"Feature\",\"id\":\"%s\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[%d,%d]},\"properties\":{\"n\":%d}}"
        .formatted(id, n % 180, n % 90, n);
  }

  private static String[] points(int count) {
    return IntStream.range(0, count).mapToObj(n -> point("f" + n, n)).toArray(String[]::new);
  }

  private LoadReport load(String collection, Path file, LoadOptions options) {
    return storage.features.bulk().load(ALICE, collection, Input.of(file), options).run(p -> {});
  }

  private static LoadOptions creating(CollectionOptions options) {
    return LoadOptions.standard().creating(options).inParallel(2);
  }

  private List<Feature> versions(String collection, String id) {
    return storage.features.read(r -> r.versions(collection, id));
  }

  /** Others may have those numbers, and GUIDs would be there twice. */
  @Test
  void moreRowNumbersThanWereTakenCanNotHaveBeenUsed() throws SQLException {
    String foo = storage.small();
    long base = psql.number("SELECT naksha_load_numbers('%s', 10)".formatted(foo));

    assertThatThrownBy(
            () ->
                psql.run(
                    "SELECT naksha_load_numbers_used('%s', %d, %d)"
                        .formatted(foo, base + 10, base + 11)))
        .hasMessageContaining("has grown since the load began")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
    psql.run("SELECT naksha_load_numbers_used('%s', %d, %d)".formatted(foo, base + 10, base + 9));
    assertThat(psql.number("SELECT last_value FROM %s_i_seq".formatted(foo))).isEqualTo(base + 9);
  }

  private void run(String sql) {
    try {
      psql.run(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private long leftovers() throws SQLException {
    return psql.number("SELECT count(*) FROM pg_class WHERE relname LIKE 'naksha_load_%'");
  }

  /** A row without what differs from one transaction to the next. */
  private static String comparable(String collection, String json, long i) {
    ObjectNode feature = GeoJson.object(json);
    ObjectNode xyz = (ObjectNode) feature.get("properties").get("@ns:com:here:xyz");
    assertThat(xyz.get("uuid").textValue())
        .startsWith("store:" + collection + ":")
        .endsWith(":" + i);
    assertThat(xyz.get("createdAt"))
        .isEqualTo(xyz.get("updatedAt"))
        .isEqualTo(xyz.get("author_ts"));
    assertThat(xyz.get("rt_ts").longValue())
        .isGreaterThanOrEqualTo(xyz.get("createdAt").longValue());
    assertThat(Guid.parse(xyz.get("txn_uuid").textValue()).i())
        .isEqualTo(new Txn(xyz.get("txn").longValue()).sequence());
    List<String> fields = new ArrayList<>();
    xyz.fieldNames().forEachRemaining(fields::add);
    List.of("uuid", "createdAt", "updatedAt", "author_ts", "rt_ts", "txn", "txn_uuid")
        .forEach(xyz::remove);
    return fields.stream().sorted().toList() + feature.toString();
  }

  private List<String> rows(String table, String collection) throws SQLException {
    List<String> rows = new ArrayList<>();
    List<String> json =
        psql.values("SELECT jsondata FROM %s ORDER BY jsondata->>'id'".formatted(table));
    List<String> i = psql.values("SELECT i FROM %s ORDER BY jsondata->>'id'".formatted(table));
    List<String> geo = psql.values("SELECT geo FROM %s ORDER BY jsondata->>'id'".formatted(table));
    for (int n = 0; n < json.size(); n++) {
      rows.add(comparable(collection, json.get(n), Long.parseLong(i.get(n))) + geo.get(n));
    }
    return rows;
  }

  /** Everything that makes a table what it is, with its name taken out. */
  private List<String> shape(String collection) throws SQLException {
    return psql.values(
        """
        SELECT replace(line, '%1$s', 'C') FROM (
          SELECT c.relname || ' ' || c.relkind::text || ' ' || coalesce(pg_get_expr(c.relpartbound, c.oid), '')
            || coalesce(c.reloptions::text, '') || c.relpersistence::text AS line
            FROM pg_class c WHERE c.relname ~ '^%1$s(_|$)' AND c.relkind IN ('r', 'p', 'i')
              AND c.relname !~ '_hst'
          UNION ALL SELECT pg_get_indexdef(x.indexrelid) FROM pg_index x
            JOIN pg_class c ON c.oid = x.indrelid WHERE c.relname ~ '^%1$s(_|$)' AND c.relname !~ '_hst'
          UNION ALL SELECT c.relname || pg_get_triggerdef(t.oid) FROM pg_trigger t
            JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relname ~ '^%1$s(_|$)'
          UNION ALL SELECT c.relname || k.conname || pg_get_constraintdef(k.oid) FROM pg_constraint k
            JOIN pg_class c ON c.oid = k.conrelid WHERE c.relname ~ '^%1$s(_|$)' AND c.relname !~ '_hst'
          UNION ALL SELECT concat_ws(' ', c.relname, a.attnum, a.attname, a.attnotnull,
            a.attstattarget) FROM pg_attribute a
            JOIN pg_class c ON c.oid = a.attrelid WHERE c.relname ~ '^%1$s(_|$)' AND a.attnum > 0
              AND c.relkind IN ('r', 'p') AND c.relname !~ '_hst'
        ) AS lines ORDER BY 1
        """
            .formatted(collection));
  }

  @ParameterizedTest
  @ValueSource(strings = {"partitioned", "one table"})
  void aLoadLeavesTheRowsAndTablesThatPlainSqlLeaves(String kind) throws Exception {
    CollectionOptions options =
        kind.equals("partitioned")
            ? CollectionOptions.none().author("bot")
            : CollectionOptions.none().unpartitioned();
    String written = storage.create(options);
    for (String feature : FEATURES) {
      psql.as(
          "app1",
          "alice",
          "INSERT INTO %s (jsondata) VALUES ('%s')".formatted(written, feature.replace("'", "''")));
    }
    String loaded = name();

    LoadReport report =
        load(loaded, file(".geojsonl", FEATURES.toArray(String[]::new)), creating(options));

    assertThat(report.loaded()).isEqualTo(7);
    assertThat(rows(loaded, loaded)).isEqualTo(rows(written, written)).hasSize(7);
    assertThat(shape(loaded)).isEqualTo(shape(written));
    assertThat(
            psql.values(
                "SELECT DISTINCT %s->>'txn' FROM %s"
                    .formatted("jsondata->'properties'->'@ns:com:here:xyz'", loaded)))
        .containsExactly(report.txn().toString());
    assertThat(
            psql.values(
                "SELECT concat_ws(' ', action, id, app_id, author, ts = (SELECT to_timestamp("
                    + "max((jsondata->'properties'->'@ns:com:here:xyz'->>'createdAt')::bigint) / 1000.0)"
                    + " FROM %1$s) OR abs(date_part('epoch', ts) * 1000 - (SELECT max((jsondata->'properties'->'@ns:com:here:xyz'->>'createdAt')::bigint) FROM %1$s)) <= 1)"
                        .formatted(loaded)
                    + " FROM naksha_tx WHERE txn = %s ORDER BY action".formatted(report.txn())))
        .containsExactly(
            "MODIFY_COLLECTION %s app1 alice t".formatted(loaded),
            "MODIFY_FEATURES %s app1 alice t".formatted(loaded));
    assertThat(leftovers()).isZero();
  }

  @Test
  void whatIsLoadedCanBeWrittenByAllWaysAndKeepsItsHistory() throws Exception {
    String c = name();
    load(c, file(".geojsonl", points(40)), creating(CollectionOptions.none()));

    storage.features.write(ALICE, c, List.of(Write.update(Feature.parse(point("f7", 70)))));
    psql.as("app1", "bob", "DELETE FROM %s WHERE jsondata->>'id' = 'f8'".formatted(c));
    psql.as("app1", "bob", "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"new\"}')".formatted(c));

    assertThat(psql.number("SELECT count(*) FROM " + c)).isEqualTo(40);
    assertThat(versions(c, "f7"))
        .extracting(f -> f.xyz().orElseThrow().version())
        .containsExactly(1L, 2L);
    assertThat(versions(c, "f8")).hasSize(2);
    assertThat(psql.number("SELECT count(DISTINCT i) FROM " + c)).isEqualTo(40);
    assertThat(psql.number("SELECT max(i) FROM " + c)).isBetween(41L, 400L);
  }

  @Test
  void analyzeSamplesTheKeysAndNotWholeDocuments() throws Exception {
    String c = name();
    load(c, file(".geojsonl", points(40)), creating(CollectionOptions.none()));
    storage.features.write(ALICE, c, List.of(Write.update(Feature.parse(point("f7", 70)))));
    storage.features.write(ALICE, c, List.of(Write.delete("f8")));
    String tables = "tablename ~ '^%s(_|$)' AND schemaname = current_schema()".formatted(c);

    psql.run("ANALYZE");

    assertThat(
            psql.number(
                "SELECT count(DISTINCT tablename) FROM pg_stats WHERE attname = 'i'"
                    + " AND "
                    + tables))
        .as("HEAD, leaves, deletion copies, history and its day")
        .isGreaterThan(15);
    assertThat(
            psql.number("SELECT count(*) FROM pg_stats WHERE attname = 'jsondata' AND " + tables))
        .isZero();
    assertThat(
            psql.number(
                "SELECT count(DISTINCT attname) FROM pg_stats WHERE tablename = '%s_7_action_idx'"
                    .formatted(c)))
        .isEqualTo(3);
  }

  @Test
  void anEmptyCollectionThatWasUsedBeforeIsLoaded() throws Exception {
    String c = storage.create(CollectionOptions.none().idPrefix("urn:").withoutHistory());
    storage.features.write(ALICE, c, List.of(Write.create(Feature.parse(point("urn:f3", 3)))));
    long before = psql.number("SELECT max(i) FROM " + c);
    storage.features.write(ALICE, c, List.of(Write.delete("f3")));
    psql.run("CREATE INDEX ON %s (i, jsondata)".formatted(c), "CREATE ROLE r_" + c);
    psql.run(
        "GRANT SELECT ON %1$s_a TO r_%1$s".formatted(c),
        "CREATE INDEX mine_%1$s ON %1$s_a (geo)".formatted(c));
    String indices =
        "SELECT string_agg(indexdef, ';' ORDER BY indexname) FROM pg_indexes"
            + " WHERE tablename = '%1$s_a'".formatted(c);
    String had = psql.value(indices);

    load(c, file(".geojsonl", point("urn:f3", 1), point("f4", 2)), LoadOptions.standard());

    assertThat(psql.values("SELECT jsondata->>'id' FROM %s ORDER BY 1".formatted(c)))
        .containsExactly("f3", "f4");
    assertThat(psql.number("SELECT count(*) FROM %s_del".formatted(c))).isZero();
    assertThat(psql.number("SELECT min(i) FROM " + c)).isGreaterThan(before);
    assertThat(psql.number("SELECT last_value FROM %s_i_seq".formatted(c)))
        .isEqualTo(psql.number("SELECT max(i) FROM " + c));
    assertThat(psql.value("SELECT has_table_privilege('r_%1$s', '%1$s_a', 'SELECT')".formatted(c)))
        .isEqualTo("t");
    assertThat(psql.value(indices)).isEqualTo(had);
  }

  @Test
  void aCollectionWithFeaturesIsRefusedOrUpserted() throws Exception {
    String c = storage.small();
    storage.features.write(ALICE, c, List.of(Write.create(Feature.parse(point("f1", 1)))));
    Path file = file(".geojsonl", points(3));

    assertThatThrownBy(() -> load(c, file, LoadOptions.standard()))
        .isInstanceOf(LoadRefusedException.class)
        .hasMessageContaining("has features; load into an empty one");
    LoadReport report = load(c, file, LoadOptions.standard().with(Existing.UPSERT));

    assertThat(report.loaded()).isEqualTo(3);
    assertThat(versions(c, "f1")).hasSize(2);
    assertThat(psql.number("SELECT count(*) FROM " + c)).isEqualTo(3);
  }

  @Test
  void idsThatComeTwiceAreRefusedWithBothPlacesOrTheLastOneWins() throws Exception {
    Path lines = file(".geojsonl", point("a", 1), "", point("b", 2), point("a", 3));
    Path collection =
        file(
            ".geojson",
            "{\"type\":\"FeatureCollection\",\"features\":["
                + point("a", 1)
                + ","
                + point("a", 2)
                + "]}");
    String c = name();

    assertThatThrownBy(() -> load(c, lines, creating(CollectionOptions.none())))
        .isInstanceOf(DuplicateIdException.class)
        .hasMessageContaining("the id 'a' is there twice, in lines 1 and 4; nothing was loaded");
    assertThatThrownBy(() -> load(c, collection, creating(CollectionOptions.none())))
        .hasMessageContaining("in features 1 and 2");
    assertThat(psql.value("SELECT to_regclass('%s')".formatted(c))).isNull();
    LoadReport report =
        load(c, lines, creating(CollectionOptions.none()).with(Duplicates.LAST_WINS));

    assertThat(report.loaded()).isEqualTo(2);
    assertThat(report.replaced()).isEqualTo(1);
    assertThat(
            psql.value(
                "SELECT jsondata->'properties'->>'n' FROM %s WHERE jsondata->>'id' = 'a'"
                    .formatted(c)))
        .isEqualTo("3");
    assertThatThrownBy(() -> load(c, lines, LoadOptions.standard().with(Existing.UPSERT)))
        .hasMessageContaining("in lines 1 and 4");
    assertThat(leftovers()).isZero();
  }

  @Test
  void invalidFeaturesFailTheLoadOrAreLeftOutAndTold() throws Exception {
    Path file =
        file(
            ".geojsonl",
            point("a", 1),
            "{\"id\": \"b\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [200, 0]}}",
            "{\"id\": ",
            point("c", 3));
    String c = name();

    assertThatThrownBy(() -> load(c, file, creating(CollectionOptions.none().unpartitioned())))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageMatching("line [23]: the .*; nothing was loaded, correct it.*");
    assertThatThrownBy(
            () -> load(c, file, creating(CollectionOptions.none().unpartitioned()).skipping(1)))
        .hasMessageContaining("(the 2. invalid feature)");
    LoadReport report =
        load(c, file, creating(CollectionOptions.none().unpartitioned()).skipping(2));

    assertThat(report.loaded()).isEqualTo(2);
    assertThat(report.skipped()).isEqualTo(2);
    assertThat(report.problems().stream().collect(Collectors.joining(" ")))
        .contains("line 2: the geometry has the position [200,0]", "line 3: the feature");
  }

  @Test
  void whatTheServerRefusesIsToldWithItsPlace() throws Exception {
    String c = name();
    String check = "ALTER TABLE naksha_load_%s ADD CONSTRAINT only_one CHECK (i < 2)".formatted(c);
    CollectionLoad collectionLoad =
        storage
            .features
            .bulk()
            .load(
                ALICE,
                c,
                Input.of(file(".geojsonl", points(3))),
                creating(CollectionOptions.none().unpartitioned()));
    AtomicBoolean added = new AtomicBoolean();

    // Nothing is known that the API takes and the server doesn't; so somebody has to see to it.
    assertThatThrownBy(
            () ->
                collectionLoad.run(
                    progress -> {
                      if (added.compareAndSet(false, true)) {
                        run(check);
                      }
                    }))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("line 1 to line 3: PostgreSQL refuses one of the features: ")
        .hasMessageContaining("violates check constraint \"only_one\"; nothing was loaded");
    assertThat(leftovers()).isZero();
    assertThat(psql.value("SELECT to_regclass('%s')".formatted(c))).isNull();
  }

  @Test
  void whatCanNotBeLoadedIsToldWithItsPlace() throws Exception {
    Path points =
        file(
            ".geojsonl",
            "{\"id\":\"l\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[0,0],[1,1]]}}");
    String pointsOnly = name();

    assertThatThrownBy(
            () -> load(pointsOnly, points, creating(CollectionOptions.none().pointsOnly())))
        .hasMessageContaining("line 1: the collection takes only points");
    assertThatThrownBy(() -> load("Foo;x", points, creating(CollectionOptions.none())))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> load("absent", points, LoadOptions.standard()))
        .isInstanceOf(CollectionNotFoundException.class);
    assertThatThrownBy(
            () -> load(name(), directory.resolve("absent.csv"), creating(CollectionOptions.none())))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("can't be read");
  }

  @Test
  void aLoadThatIsStoppedLeavesNothing() throws Exception {
    String c = name();
    Path file = file(".geojsonl", points(3_000));
    CollectionLoad collectionLoad =
        storage.features.bulk().load(ALICE, c, Input.of(file), creating(CollectionOptions.none()));

    for (Phase phase : List.of(Phase.COPY)) {
      assertThatThrownBy(
              () ->
                  collectionLoad.run(
                      progress -> {
                        if (progress.phase() == phase) {
                          collectionLoad.stop();
                        }
                      }))
          .isInstanceOf(LoadStoppedException.class);
    }
    assertThat(psql.value("SELECT to_regclass('%s')".formatted(c))).isNull();
    assertThat(leftovers()).isZero();
    assertThat(psql.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")).isZero();
  }

  @Test
  void nobodySeesALoadBeforeItIsDoneAndOthersMayNotInterfere() throws Exception {
    String c = storage.create(CollectionOptions.none());
    Path file = file(".geojsonl", points(2_000));
    List<LoadProgress> told = new ArrayList<>();

    assertThatThrownBy(
            () ->
                storage
                    .features
                    .bulk()
                    .load(ALICE, c, Input.of(file), LoadOptions.standard())
                    .run(
                        progress -> {
                          told.add(progress);
                          if (progress.phase() == Phase.ATTACH) {
                            assertThatThrownBy(() -> load(c, file, LoadOptions.standard()))
                                .isInstanceOf(LoadRefusedException.class)
                                .hasMessageContaining("is under way");
                            assertThat(storage.features.bulk().removeLeftovers()).isEmpty();
                            assertThat(versions(c, "f1")).isEmpty();
                            storage.features.write(
                                ALICE, c, List.of(Write.create(Feature.parse(point("mine", 1)))));
                          }
                        }))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("others have written to the collection '%s'".formatted(c));

    assertThat(psql.values("SELECT jsondata->>'id' FROM " + c)).containsExactly("mine");
    assertThat(told).extracting(LoadProgress::phase).contains(Phase.COPY, Phase.KEYS, Phase.ATTACH);
    LoadProgress last = told.get(told.size() - 1);
    assertThat(last.rows()).isEqualTo(2_000);
    assertThat(last.bytes()).isEqualTo(last.totalBytes().orElseThrow()).isEqualTo(Files.size(file));
    assertThat(last.tables()).isEqualTo(16);
    assertThat(leftovers()).isZero();
  }

  @Test
  void manyFeaturesComeIntoTheirLeavesAndAreFoundByKeys() throws Exception {
    String c = name();

    load(c, file(".geojsonl", points(5_000)), creating(CollectionOptions.none()).inParallel(4));

    assertThat(psql.number("SELECT count(*) FROM " + c)).isEqualTo(5_000);
    assertThat(
            psql.number(
                "SELECT count(*) FROM %s WHERE right(tableoid::regclass::text, 1) <> left(md5(jsondata->>'id'), 1)"
                    .formatted(c)))
        .isZero();
    assertThat(psql.number("SELECT count(*) FROM pg_index WHERE NOT indisvalid")).isZero();
    JsonNode info = storage.features.transact(ALICE, tx -> tx.collections().info(c)).json();
    assertThat(info.path("estimatedFeatureCount").longValue()).isEqualTo(5_000);
  }
}
