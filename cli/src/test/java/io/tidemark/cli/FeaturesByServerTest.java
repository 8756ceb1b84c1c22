// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.features.Features;
import io.tidemark.names.NameService;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verbs on features print the same, whether they use a database or ask a server. */
final class FeaturesByServerTest extends FeatureCommandFixture {

  private static final String LINE =
      "{\"type\": \"Feature\", \"id\": \"l\", \"geometry\": {\"type\": \"LineString\","
          + " \"coordinates\": [[8.5, 50.1], [8.6, 50.1]]}}";

  private String served;
  private Features features;
  private TidemarkServer server;

  @BeforeEach
  void serve(PostgresServer postgres) {
    served = postgres.createDatabase();
    features = Features.open(served, "store");
    server = serving(features);
  }

  private static TidemarkServer serving(Features features) {
    NameService names = NameService.open("memory:");
    return TidemarkServer.start(
        ServerSettings.standard().withPort(0),
        new ServerResources(names, names.objects(), Optional.of(features)),
        AccessControl.localOnly());
  }

  @AfterEach
  void stop() {
    server.close();
    features.close();
  }

  private static Outcome by(TidemarkServer server, String... words) {
    List<String> arguments = new ArrayList<>(List.of("features"));
    arguments.addAll(List.of(words));
    arguments.addAll(List.of("--data", server.address().toString()));
    return plain(arguments.toArray(String[]::new));
  }

  /** Does it to both storages, which are alike before and so have to be afterwards. */
  private void alike(int exitCode, String... words) {
    Outcome here = run(words);
    Outcome there = by(server, words);
    assertThat(timeless(there)).as(String.join(" ", words)).isEqualTo(timeless(here));
    assertThat(there.exitCode()).as(there.err()).isEqualTo(exitCode);
  }

  /** Without what is different each time: when it was, how long it took, and numbers of rows. */
  private static Outcome timeless(Outcome outcome) {
    return new Outcome(outcome.exitCode(), timeless(outcome.out()), timeless(outcome.err()));
  }

  private static String timeless(String text) {
    return text.replaceAll("store:(\\w+):2\\d{3}:\\d+:\\d+:\\d+", "store:$1:GUID")
        .replaceAll("2\\d{3}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
        .replaceAll("\\b2\\d{18}\\b", "TXN")
        .replaceAll("\\b1\\d{12}\\b", "MILLIS")
        .replaceAll("\"psql_id\":\\d+", "\"psql_id\":N")
        .replaceAll("\"seconds\":[0-9.]+", "\"seconds\":N")
        .replaceAll("\"next\":\"[^\"]+\"", "\"next\":\"HANDLE\"")
        .replaceAll("--page \\S+", "--page HANDLE")
        .replaceAll("up to \\d+ bytes as text and \\d+ as", "up to N bytes as text and N as")
        .replaceAll("\"(byteSize|compressedSize)\":\\d+", "\"$1\":N")
        .replaceAll(" {2,}", "  ");
  }

  private static String point(String id, String name, double lon) {
    return ("{\"type\": \"Feature\", \"id\": \"%s\", \"geometry\": {\"type\": \"Point\","
            + " \"coordinates\": [%s, 50.10]}, \"properties\": {\"name\": \"%s\", \"n\": 1.50}}")
        .formatted(id, lon, name);
  }

  @Test
  void statusTellsWhichTransactionsWaitForTheirNumbers() throws IOException {
    assertThat(status()).contains("0 collections  0               none");
    by(server, "collection", "create", "roads", "--one-table");
    assertThat(status()).containsPattern("1 collection  0               1 since 2\\d{3}-");
    features.log().sequence();
    assertThat(status()).contains("1 collection  1               none");
  }

  private String status() {
    return plain("status", "--server", server.address().toString()).out();
  }

  /** A feature as if it had been made from a state that isn't the current one. */
  private static String stateOf(String id) {
    return point(id, "x", 1)
        .replace("\"n\": 1.50", "\"@ns:com:here:xyz\": {\"uuid\": \"store:roads:2026:1:1:1\"}");
  }

  @Test
  void writingPrintsTheSame() throws IOException {
    String roads = file("roads.geojson", point("r1", "Main", 8.5) + point("r2", "Side", 0.00001));
    alike(0, "collection", "create", "roads", "--one-table", "--max-age", "9");
    alike(6, "collection", "create", "roads");
    alike(0, "collection", "create", "other", "--json", "--one-table", "--id-prefix", "urn:x:");
    alike(0, "put", "roads", roads);
    alike(0, "put", "roads", roads, "--json", "--author", "ann", "--app", "maps", "-m", "t=1");
    alike(6, "put", "roads", roads, "--only", "create");
    alike(6, "put", "roads", roads, "--only", "create", "--json");
    alike(1, "put", "roads", file("x.geojson", point("no", "x", 1)), "--only", "update");
    alike(6, "delete", "roads", "r1", "--expect", "store:roads:2026:1:1:1");
    alike(6, "put", "roads", file("old.geojson", stateOf("r1")), "--if-unchanged");
    alike(0, "collection", "create", "places", "--one-table", "--points-only");
    alike(4, "put", "places", file("line.geojson", LINE));
    alike(4, "put", "places", file("line.geojson", LINE), "--json");
    alike(1, "put", "nowhere", roads);
    alike(0, "delete", "roads", "r2", "r9");
    alike(0, "delete", "roads", "r9", "--purge", "--yes", "--json");
    alike(7, "delete", "roads", "r9", "--purge");
    alike(0, "collection", "update", "roads", "--max-age", "10");
    alike(4, "collection", "update", "roads", "--max-age", "-10");
    alike(0, "collection", "history", "roads", "off", "--json");
    alike(0, "collection", "list");
    alike(0, "collection", "list", "--deleted", "--json");
    alike(0, "sequence", "--once");
    alike(0, "sequence", "--once", "--json");
    alike(0, "log", "--json");
    alike(0, "log", "--message", "t");
    alike(0, "log", "--seq", "2", "--limit", "2");
    alike(0, "log", "--seq", "2", "--limit", "2", "--follow", "--json");
    alike(1, "log", "--seq", "99");
    alike(4, "log", "--from", "1");
    alike(0, "maintain");
    alike(0, "maintain", "--json");
    alike(0, "collection", "delete", "roads");
    alike(0, "collection", "delete", "roads", "--json");
    alike(0, "collection", "restore", "roads");
    alike(7, "collection", "purge", "roads");
    alike(0, "collection", "purge", "roads", "--yes");
    alike(0, "collection", "purge", "roads", "--yes", "--json");
    alike(1, "collection", "info", "roads");
  }

  @Test
  void loadsAndExportsAreTheSame() throws IOException {
    String csv = file("stops.csv", "id,x,y,name\na,8.5,50,A\nb,8.6,50,B\n");
    String lines = file("more.geojsonl", point("c", "C", 1) + "\n{\"type\": 7}\n");
    alike(0, "load", "stops", csv, "--create", "--one-table", "--lon", "x", "--lat", "y");
    alike(7, "load", "stops", csv, "--lon", "x", "--lat", "y");
    alike(4, "load", "stops", lines, "--upsert");
    alike(0, "load", "stops", lines, "--upsert", "--skip-invalid", "5", "--json");
    alike(1, "load", "nowhere", csv);
    alike(4, "load", "stops", directory.resolve("nowhere.csv").toString(), "--upsert");
    alike(4, "load", "stops", file("stops.parquet", ""));
    alike(2, "load", "stops", csv, "--format", "rs");
    alike(2, "export", "stops", "x.csv");
    for (String name : List.of("out.geojsonl", "out.geojsons", "out.parquet")) {
      String here = Files.createTempDirectory(directory, "here").resolve(name).toString();
      String there = Files.createTempDirectory(directory, "there").resolve(name).toString();
      Outcome first = run("export", "stops", here);
      Outcome second = by(server, "export", "stops", there);
      assertThat(second.out().replace(there, here)).isEqualTo(first.out());
      assertThat(second.exitCode()).isZero();
      if (!name.endsWith("parquet")) {
        assertThat(sorted(there)).isEqualTo(sorted(here)).hasSize(3);
      }
      assertThat(by(server, "export", "stops", there).exitCode()).isEqualTo(ExitCodes.CONFLICT);
    }
    alike(1, "export", "nowhere", directory.resolve("none.geojsonl").toString());
    assertThat(directory.resolve("none.geojsonl")).doesNotExist();
  }

  private static List<String> sorted(String file) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines.map(FeaturesByServerTest::timeless).sorted().toList();
    }
  }

  @Test
  void readingPrintsTheSameToTheLetter() throws IOException {
    done("collection", "create", "roads", "--one-table");
    done("put", "roads", file("a.geojson", point("r1", "Main", 8.5) + point("r2", "Side", 0.1)));
    done("put", "roads", file("b.geojson", point("r1", "Broadway", 8.5)));
    done("delete", "roads", "r2");
    String guid = "store:roads:";
    String state = done("get", "roads", "r1", "--json");
    guid = state.substring(state.indexOf(guid), state.indexOf('"', state.indexOf(guid)));
    String logged = done("log", "--limit", "1", "--json");
    String psqlId = FeatureCommandsTest.found("\"psql_id\":(\\d+)", logged);
    String began = FeatureCommandsTest.found("\"ts\":\"([^\"]+)", logged);
    try (Features same = Features.open(url, "store");
        TidemarkServer second = serving(same)) {
      for (List<String> words :
          List.of(
              List.of("get", "roads", "r1", "r9"),
              List.of("get", "roads", "r1", "--json", "--text-txn"),
              List.of("get", "roads", "r2", "--deleted"),
              List.of("get", "--guid", guid, "--guid", "store:roads:2026:1:1:99", "--json"),
              List.of("get", "--guid", "nonsense"),
              List.of("history", "roads", "r1"),
              List.of("history", "roads", "r1", "--json"),
              List.of("history", "roads", "r1", "--diff"),
              List.of("history", "roads", "r9"),
              List.of("at", "roads", "2099-01-01T00:00:00Z", "r1", "r2", "--json"),
              List.of("get", "nowhere", "r1"),
              List.of("history", "nowhere", "r1"),
              List.of("at", "roads", "2026", "r1"),
              List.of("at", "roads", "9999999999999999999", "r1"),
              List.of("query", "roads"),
              List.of("query", "roads", "--json"),
              List.of("query", "roads", "--deleted"),
              List.of("query", "roads", "--versions", "--order", "f.updatedAt desc"),
              List.of("query", "roads", "--bbox", "8,50,9,51", "--select", "p.n", "--json"),
              List.of("query", "roads", "--near", "8.5,50.1,100", "--where", "p.name='Broadway'"),
              List.of("query", "roads", "--here-tile", "122"),
              List.of("query", "roads", "--bbox", "8,50,9,51", "--outside"),
              List.of("query", "roads", "--where", "nonsense"),
              List.of("query", "roads", "--near", "nonsense"),
              List.of("query", "roads", "--limit", "2000"),
              List.of("query", "roads", "--limit", "1"),
              List.of("query", "roads", "--at", "2099-01-01T00:00:00Z", "--limit", "1", "--json"),
              List.of("query", "roads", "--distance", "5"),
              List.of("query", "roads", "--outside"),
              List.of("query", "nowhere"),
              List.of("collection", "info", "roads"),
              List.of("collection", "info", "roads", "--json"),
              List.of("collection", "list", "--json"),
              List.of("log"),
              List.of("log", "--json"),
              List.of("log", "--message", "nothing"),
              List.of("outcome", psqlId, began),
              List.of("outcome", psqlId, began, "--json"),
              List.of("outcome", psqlId, "2026-01-01T00:00:00Z"),
              List.of("outcome", psqlId, "now()"))) {
        String[] array = words.toArray(String[]::new);
        assertThat(by(second, array)).as(words.toString()).isEqualTo(run(array));
      }
    }
  }

  @Test
  void maintenanceThatCannotBeDoneIsToldTheSame() throws SQLException {
    alike(0, "collection", "create", "roads", "--one-table");
    try (Connection here = DriverManager.getConnection(url);
        Connection there = DriverManager.getConnection(served)) {
      for (Connection busy : List.of(here, there)) {
        execute(busy, "SELECT pg_advisory_lock(hashtext('public.naksha'), hashtext('maintainer'))");
      }
      alike(6, "maintain");
      alike(6, "maintain", "--json");
      for (Connection broken : List.of(here, there)) {
        execute(broken, "SELECT pg_advisory_unlock_all()");
        execute(broken, "DROP TABLE \"roads_meta\"");
      }
    }
    alike(1, "maintain");
    alike(1, "maintain", "--json");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  @Test
  void aPrivatePostgreSqlIsNoBusinessOfAServer() {
    for (String verb : List.of("up", "down", "status")) {
      assertFailed(ExitCodes.USAGE, "a private PostgreSQL needs a directory", by(server, verb));
    }
    assertFailed(ExitCodes.USAGE, "a server numbers by itself", by(server, "sequence"));
  }
}
