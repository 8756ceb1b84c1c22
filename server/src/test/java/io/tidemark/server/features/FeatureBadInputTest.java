// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can't be meant is refused with a reason, and does no harm. */
final class FeatureBadInputTest extends FeatureRoutesFixture {

  private static final List<String> TRICKS =
      List.of(
          "'; DROP TABLE naksha_tx; --",
          "\" OR \"1\"=\"1",
          "$$;SELECT 1;$$",
          "\\'; --",
          "a\0b",
          "../../etc/passwd",
          "%s%n",
          "ü".repeat(300),
          "'||(SELECT version())||'");

  private static String collection;

  @BeforeAll
  static void make() {
    collection = collection();
    put(collection, "a", "x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "no JSON",
        "{\"type\": \"Point\"}",
        "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [NaN, 1]}}",
        "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [1e999, 1]}}",
        "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [\"1\", 1]}}",
        "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [1]}}",
        "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Cube\", \"coordinates\": [1, 1]}}",
        "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Polygon\", \"coordinates\":"
            + " [[[0,0],[1,1]]]}}",
        "{\"type\": \"Feature\", \"geometry\": 7}",
        "{\"type\": \"Feature\", \"properties\": []}",
        "{\"type\": \"Feature\", \"id\": {}}",
        "{\"type\": \"Feature\", \"id\": \"x\\u0000y\"}",
        "{\"type\": \"Feature\", \"properties\": {\"a\": \"x\\u0000y\"}}",
        "{\"type\": \"Feature\", \"properties\": {\"a\": \"\\ud800\"}}",
        "{\"type\": \"Feature\", \"properties\": {\"a\": 1, \"a\": 2}}",
        "{\"type\": \"FeatureCollection\"}",
        "{\"type\": \"FeatureCollection\", \"features\": [7]}",
        "{\"type\": \"FeatureCollection\", \"features\": [{\"id\": \"b\"}], \"crs\":"
            + " \"EPSG:3857\"}",
        "{\"type\": \"Feature\", \"id\": \"b\", \"crs\": \"EPSG:3857\"}",
        "{\"writes\": [{\"op\": \"create\", \"feature\": {\"id\": \"b\", \"crs\":"
            + " \"EPSG:3857\"}}]}",
        "{\"writes\": {}}",
        "{\"writes\": [], \"also\": 1}",
        "{\"writes\": [{\"op\": \"drop\", \"feature\": {}}]}",
        "{\"writes\": [{\"op\": \"delete\"}]}",
        "{\"writes\": [{\"op\": \"delete\", \"id\": 7}]}",
        "{\"writes\": [{\"op\": \"create\", \"feature\": {}, \"expect\": \"x\"}]}",
        "{\"writes\": [], \"messages\": {\"id\": 7}}"
      })
  void noBatchIsNoBatch(String body) {
    HttpResponse<String> answer = server.send("POST", all(collection), body);
    assertThat(answer.statusCode()).as(body + " -> " + answer.body()).isEqualTo(400);
    assertThat(ids(ok(server.get(all(collection))))).isEqualTo("a");
  }

  @Test
  void aLongIdIsRefusedWhereverItIs() {
    String id = "x".repeat(256);
    problem(400, "invalid-feature", server.send("POST", all(collection), point(id, "x")));
    problem(400, "invalid-feature", server.send("PUT", all(collection) + "/" + id, point(id, "x")));
    assertThat(server.get(all(collection) + "/" + id).statusCode()).isEqualTo(404);
    problem(400, "invalid-request", server.send("PUT", all(collection) + "/b", point("c", "x")));
  }

  @Test
  void aDocumentAsDeepAsNobodyMeansItIsRefused() {
    String deep = "[".repeat(5_000) + "]".repeat(5_000);
    problem(
        400,
        "invalid-request",
        server.send(
            "POST",
            all(collection),
            "{\"type\": \"Feature\", \"properties\": {\"a\": " + deep + "}}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bbox=1,2,3",
        "bbox=a,b,c,d",
        "bbox=NaN,0,1,1",
        "bbox=-200,0,1,1",
        "near=1,2",
        "near=1,2,-5",
        "geometry=7",
        "geometry={\"type\":\"Cube\"}",
        "radius=10",
        "geometry={\"type\":\"Point\",\"coordinates\":[1,2]}&radius=far",
        "tile=4",
        "tile=120&margin=-1",
        "hereTile=4",
        "outside=true",
        "tags=a;b",
        "where=name=1",
        "where=p.name",
        "where=p.name>'text'",
        "where=p.name@>{",
        "order=nothing",
        "select=nothing",
        "clip=true",
        "clip=perhaps",
        "limit=0",
        "limit=1001",
        "limit=many",
        "cursor=nonsense",
        "at=yesterday",
        "at=99999999999999999999",
        "at=2026-11-16T12:00:00Z&deleted=true",
        "numbers=roman",
        "bbbox=1,2,3,4"
      })
  void noQueryIsNoQuery(String query) {
    String encoded =
        Arrays.stream(query.split("&", -1))
            .map(part -> part.split("=", 2))
            .map(part -> part[0] + "=" + encoded(part[1]))
            .collect(Collectors.joining("&"));
    HttpResponse<String> answer = server.get(all(collection) + "?" + encoded);
    assertThat(answer.statusCode()).as(query + " -> " + answer.body()).isEqualTo(400);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
  }

  @Test
  void metacharactersAreTextWhereverTheyAreGiven() {
    List<String> places =
        List.of(
            "/v1/collections/%s",
            "/v1/collections/%s/features",
            "/v1/collections/%s/export",
            all(collection) + "/%s",
            all(collection) + "/%s/history",
            all(collection) + "/a/at/%s",
            all(collection) + "?id=%s",
            all(collection) + "?bbox=%s",
            all(collection) + "?near=%s",
            all(collection) + "?geometry=%s",
            all(collection) + "?tile=%s",
            all(collection) + "?tags=%s",
            all(collection) + "?where=%s",
            all(collection) + "?where=p.name%%3D%s",
            all(collection) + "?where=p.%s%%3D1",
            all(collection) + "?order=%s",
            all(collection) + "?order=p.%s",
            all(collection) + "?select=p.%s",
            all(collection) + "?cursor=%s",
            all(collection) + "?at=%s",
            all(collection) + "?minTxn=%s",
            "/v1/guids/%s",
            "/v1/transactions/%s",
            "/v1/transactions?message=%s",
            "/v1/transactions?from=%s",
            "/v1/changes?after=%s",
            "/v1/transactions/outcome?transaction=1&began=%s");
    for (String place : places) {
      for (String trick : TRICKS) {
        HttpResponse<String> answer = server.get(place.formatted(encoded(trick)));
        assertThat(answer.statusCode())
            .as(place + " " + trick + " -> " + answer.body())
            .isIn(200, 400, 404);
        assertThat(answer.body()).doesNotContain("PSQLException").doesNotContain("PostgreSQL 1");
      }
    }
    assertThat(ids(ok(server.get(all(collection))))).isEqualTo("a");
  }

  @Test
  void metacharactersInWhatIsWrittenAreKeptAsTheyAre() {
    String collection = collection();
    for (String trick : List.of("'; DROP TABLE x; --", "\\\" OR 1=1", "$1", "%s", "a/b?c#d")) {
      String id = trick.replace("\\\"", "\"");
      ok(server.send("PUT", all(collection) + "/" + encoded(id), point(trick, trick)));
      assertThat(ok(server.get(all(collection) + "/" + encoded(id))).path("id").asText())
          .isEqualTo(id);
      assertThat(
              ids(
                  ok(
                      server.get(
                          all(collection)
                              + "?where="
                              + encoded("p.name='" + id.replace("'", "''") + "'")))))
          .isEqualTo(id);
    }
    for (String trick : TRICKS) {
      if (trick.contains("\\") || trick.contains("\0")) {
        continue; // never gets to a route: no such path is taken
      }
      HttpResponse<String> answer = server.send("PUT", "/v1/collections/" + encoded(trick), "{}");
      assertThat(answer.statusCode()).as(trick + " -> " + answer.body()).isIn(400, 404);
    }
    problem(
        400,
        "invalid-request",
        server.send("PUT", "/v1/collections/fresh", "{\"maxAge\": \"long\"}"));
    problem(400, "invalid-request", server.send("PUT", "/v1/collections/fresh", "{\"maxage\": 1}"));
    problem(
        400,
        "invalid-request",
        server.send("POST", "/v1/collections/fresh/load?format=shape", "x"));
    problem(
        400,
        "invalid-input",
        server.send(
            "POST",
            "/v1/collections/" + collection + "/load?upsert=true&format=geojson",
            "{\"features\": [" + point("b", "x") + "], \"crs\": \"EPSG:3857\"}"));
  }
}
