// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.servers.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writing features and reading them back, as they are and as they were. */
class FeatureCommandsTest extends FeatureCommandFixture {

  private static final String TWO =
      """
      {"type":"FeatureCollection","features":[
       {"type":"Feature","id":"r1","properties":{"speed":50},
        "geometry":{"type":"LineString","coordinates":[[8.61,50.12],[8.65,50.13]]}},
       {"type":"Feature","id":"s1","properties":{"name":"Stop"},
        "geometry":{"type":"Point","coordinates":[8.5,50.25]}}]}
      """;

  @BeforeEach
  void collection() {
    done("collection", "create", "roads", "--one-table");
  }

  private static String point(String id, String more) {
    return "{\"type\":\"Feature\",\"id\":\"%s\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}%s}"
        .formatted(id, more);
  }

  static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
    return matcher.group(1);
  }

  private String put(String text, String... more) throws IOException {
    String[] words = {"put", "roads", file("sent.geojson", text)};
    return done(LedgerCommandFixture.with(more, words));
  }

  private void refused(int exitCode, String message, String text, String... more) {
    Outcome outcome = told(text, LedgerCommandFixture.with(more, "put", "roads", "-"));
    assertThat(outcome.out() + outcome.err()).contains(message).doesNotContain("\tat ");
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void readsGoToAReplica(PostgresServer server) throws IOException {
    String txn = found("transaction (\\d{19})", put(TWO));
    // The same database by another address stands for one that has all.
    String follower = url + "&ApplicationName=follower";
    String[] newEnough = {"--replica", follower, "--min-txn", txn};
    assertThat(done(LedgerCommandFixture.with(newEnough, "query", "roads"))).contains("r1", "s1");
    assertThat(done("get", "roads", "r1", "--replica", follower)).contains("r1");
    failed(2, "--min-txn", "get", "roads", "r1", "--min-txn", "today");

    String other = server.createDatabase();
    failed(5, "is no replica of", "get", "roads", "r1", "--replica", other);
    failed(5, "is no replica of", "at", "roads", txn, "r1", "--replica", other);
    failed(5, "is no replica of", "query", "roads", "--replica", other);
    failed(5, "is no replica of", "history", "roads", "r1", "--replica", other);
    assertFailed(
        2,
        "a server reads its own replicas",
        plain("features", "get", "a", "b", "--server", "http://127.0.0.1:1", "--replica", other));
    assertFailed(2, "--replica is a replica of", plain("serve", "--port", "0", "--replica", other));
  }

  @Test
  void everyStateCanBeReadAgain() throws IOException {
    assertThat(put(TWO, "--author", "ann"))
        .matches(
            "RESULT   ID  VERSION  UUID\\R"
                + "created  r1  1        store:roads:\\d+:\\d+:\\d+:\\d+\\R"
                + "created  s1  1        store:roads:\\d+:\\d+:\\d+:\\d+\\R"
                + "transaction \\d{19}: 2 created");
    String first = found("\"txn\":(\\d+)", done("get", "roads", "r1", "--json"));
    String guid = found("\"uuid\":\"([^\"]+)", done("get", "roads", "r1", "--json"));
    assertThat(put(TWO.replace("50}", "30}"), "-m", "ticket=42")).contains("2 updated");

    assertThat(done("get", "roads", "s1", "r1"))
        .matches(
            "ID  VERSION  UPDATED                   GEOMETRY         PROPERTIES\\R"
                + "s1  2        \\S{24}  Point 8.5,50.25  \\{\"name\":\"Stop\"}\\R"
                + "r1  2        \\S{24}  LineString       \\{\"speed\":30}");
    assertThat(done("at", "roads", first, "r1")).endsWith("{\"speed\":50}");
    assertThat(done("at", "roads", "9000-01-01T00:00:00Z", "r1")).endsWith("{\"speed\":30}");
    assertThat(done("get", "--guid", guid)).endsWith("{\"speed\":50}");
    assertThat(done("history", "roads", "r1"))
        .matches(
            "VERSION  ACTION  TXN                  TIME  .*\\R"
                + "1        CREATE  \\d{19}  \\S{24}  ann     tidemark-cli  \\{\"speed\":50}\\R"
                + "2        UPDATE  \\d{19}  \\S{24}  ann     tidemark-cli  speed 50 -> 30");
    assertThat(done("history", "roads", "r1", "--json", "--text-txn"))
        .startsWith("{\"type\":\"FeatureCollection\",\"features\":[{")
        .contains("\"txn\":\"" + first + "\"", "\"action\":\"UPDATE\"");

    Outcome then = run("at", "roads", "2020-01-01T00:00:00Z", "r1");
    assertThat(then).isEqualTo(new Outcome(1, "no features\n", "tidemark: not there: r1\n"));
  }

  @Test
  void deletedFeaturesAreStillThereUntilTheyArePurged() throws IOException {
    put(TWO);
    assertThat(done("delete", "roads", "s1", "none", "--json", "--app", "cleaner"))
        .matches(
            "\\{\"committed\":true,\"txn\":\\d{19},\"rows\":\\[\\{\"result\":\"deleted\",\"id\":\"s1\","
                + "\"uuid\":\"store:roads:[0-9:]+\"},\\{\"result\":\"retained\",\"id\":\"none\"}]}");
    Outcome gone = run("get", "roads", "r1", "s1", "s1", "--json");
    assertThat(gone.out()).contains("\"id\":\"r1\"").endsWith("\"missing\":[\"s1\",\"s1\"]}\n");
    assertThat(gone.exitCode()).isEqualTo(1);
    assertThat(done("get", "roads", "s1", "--deleted")).contains("s1  2");
    assertThat(done("history", "roads", "s1")).contains("2        DELETE").contains("cleaner");

    failed(7, "purging can't be undone; say --yes", "delete", "roads", "s1", "--purge");
    assertThat(done("delete", "roads", "s1", "--purge", "--yes")).contains("1 purged");
    assertThat(run("get", "roads", "s1", "--deleted").exitCode()).isEqualTo(1);
  }

  @Test
  void aStateThatWasExpectedMustBeThere() throws IOException {
    put(point("a", ""));
    String feature = done("get", "roads", "a", "--json");
    String guid = found("\"uuid\":\"([^\"]+)", feature);
    refused(6, "conflict  a  The feature", point("a", ""), "--only", "create");
    refused(1, "missing  b  ", point("b", ""), "--only", "update");
    assertThat(put(feature, "--if-unchanged")).contains("1 updated");
    refused(6, "nothing was written: 1 of 1 can't be done", feature, "--if-unchanged");
    refused(6, "\"actual\":{\"id\":\"a\"", point("a", ""), "--expect", guid, "--json");
    Outcome refused = run("delete", "roads", "a", "--expect", guid);
    assertThat(refused.exitCode()).isEqualTo(6);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .startsWith("tidemark: nothing was written: 1 of 1 can't be done")
        .contains("conflict  a  The feature 'a' uuid '" + guid);
    assertThat(done("get", "roads", "a")).contains("a   2");
  }

  @Test
  void nothingIsWrittenWhenOneIsWrongAndItIsSaidWhich() throws IOException {
    String far = point("far", "").replace("[1,2]", "[1,200]");
    refused(
        4,
        "standard input, line 2, feature 2 (far): the geometry has the position [1,200]",
        point("ok", "") + "\n" + far);
    refused(4, "line 1: it is no JSON: Unexpected character", "{oops");
    refused(4, "line 3: it is no JSON object", "\n\n[]");
    refused(4, "feature 1: the object has the type \"Line\"", "{\"type\":\"Line\"}");
    refused(4, "Duplicate field 'id'", "{\"id\":\"a\",\"id\":\"b\"}");
    refused(4, "feature 1: the feature is no JSON object", "{\"features\":[1]}");
    refused(4, "has more than 1 feature,", TWO, "--max-batch", "1");
    refused(2, "--expect goes with one feature; there are 2", TWO, "--expect", "g");
    refused(2, "has no state that could be", TWO, "--expect", "g", "--only", "create");
    refused(2, "--max-batch takes", TWO, "--max-batch", "0");
    assertThat(run("get", "roads", "ok", "r1").exitCode()).isEqualTo(1);
    failed(4, "there is no such file", "put", "roads", "nowhere.geojson");
    failed(4, "Is a directory", "put", "roads", directory.toString());
    failed(4, "can't be read: there is no such file", "load", "roads", "nowhere.csv");
    failed(
        5,
        "can't be written: there is no such file or directory; check its name",
        "export",
        "roads",
        directory.resolve("none/roads.geojsonl").toString());
    failed(1, "there is no collection 'none'", "put", "none", file("a.json", point("a", "")));
  }

  @Test
  void whatIsNoUtf8IsRefusedWhereverItComesFrom() throws IOException {
    byte[] latin = point("\u00fc", "").getBytes(StandardCharsets.ISO_8859_1);
    String problem = "it isn't UTF-8; convert it first";
    String file = Files.write(directory.resolve("latin.geojson"), latin).toString();

    Outcome piped = told(latin, "put", "roads", "-");

    assertFailed(4, "can't read standard input: " + problem, piped);
    failed(4, "can't read " + file + ": " + problem, "put", "roads", file);
    assertThat(done("query", "roads")).isEqualTo("no features");
    assertThat(put("\uFEFF" + point("\u00fc", ""))).contains("created  \u00fc  ");
    assertThat(told("\uFEFF" + point("\u00fc", ""), "put", "roads", "-").out())
        .contains("updated  \u00fc  ");
  }

  @Test
  void whatIsInAnIdIsShownAndNotObeyed() {
    String escape = point("a\\u001b[2J\\nb", "");

    Outcome missing = told(escape, "put", "roads", "-", "--only", "update");

    assertThat(missing.err().lines())
        .hasSize(2)
        .element(1)
        .asString()
        .startsWith("  missing  a\\u001b[2J\\nb  ")
        .doesNotContain("\u001b");
  }

  @Test
  void featuresComeOneAfterTheOtherOrInACollectionOrNotAtAll() throws IOException {
    assertThat(put("\u001e" + point("a", "") + "\n\u001e" + point("b", "") + "\n"))
        .contains("2 created");
    assertThat(put("{\"type\":\"Feature\",\"properties\":{\"n\":1.50}}")).contains("1 created");
    assertThat(put("{\"features\":[],\"type\":\"FeatureCollection\"}")).endsWith(": nothing to do");
    assertThat(put("")).endsWith(": nothing to do");
  }

  @Test
  void aCollectionInAnotherReferenceSystemIsRefused() throws IOException {
    String crs = "{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:25832\"}}";
    String feature = point("utm", "");

    for (String text :
        List.of(
            "{\"features\":[" + feature + "],\"crs\":" + crs + "}",
            "{\"crs\":" + crs + ",\"features\":[" + feature + "]}")) {
      refused(4, "standard input, line 1: the crs is EPSG:25832, but coordinates must be", text);
      assertFailed(
          4,
          "line 1: the crs is EPSG:25832, but coordinates must be",
          told(text, "load", "roads", "-", "--format", "geojson"));
    }
    failed(1, "not there: utm", "get", "roads", "utm");
  }

  @Test
  void whatIsNotUnderstoodIsMisuse() {
    failed(2, "give a collection and ids of features, or --guid", "get", "roads");
    failed(2, "give a collection", "get", "roads", "a", "--guid", "g");
    failed(4, "'g' is no GUID; one looks like", "get", "--guid", "g");
    failed(2, "'then' is neither a transaction", "at", "roads", "then", "r1");
    failed(2, "is no transaction number", "at", "roads", "17", "r1");
    Outcome past = told("", "at", "roads", "yesterday", "r1");
    assertThat(past.err()).startsWith("tidemark: 'yesterday' is ");
    failed(1, "there is no collection 'none'", "get", "none", "a");
    failed(2, "Missing required parameter: 'ID'", "delete", "roads");
  }
}
