// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Finding features by place, tags and properties. */
class FeatureQueryCommandTest extends FeatureCommandFixture {

  /** p1 to p5 from west to east, a degree apart; the odd ones are tagged odd. */
  @BeforeEach
  void points() throws IOException {
    done("collection", "create", "points", "--one-table");
    String features =
        IntStream.rangeClosed(1, 5)
            .mapToObj(FeatureQueryCommandTest::point)
            .collect(Collectors.joining());
    done("put", "points", file("points.geojson", features));
  }

  private static String point(int n) {
    return """
        {"type":"Feature","id":"p%1$d","geometry":{"type":"Point","coordinates":[%1$d,50]},
         "properties":{"n":%1$d,"name":"P %1$d","@ns:com:here:xyz":{"tags":[%2$s]}}}
        """
        .formatted(n, n % 2 == 1 ? "\"odd\"" : "");
  }

  private List<String> ids(String... words) {
    return done(LedgerCommandFixture.with(words, "query", "points"))
        .lines()
        .filter(line -> line.matches("p\\d  .*"))
        .map(line -> line.substring(0, 2))
        .toList();
  }

  @Test
  void byPlaceTagsAndProperties() {
    assertThat(ids()).containsExactly("p1", "p2", "p3", "p4", "p5");
    assertThat(ids("--bbox", "1.5,49,3.5,51")).containsExactly("p2", "p3");
    assertThat(ids("--near", "2,50,1000")).containsExactly("p2");
    assertThat(ids("--near", "2,50,80000")).containsExactly("p1", "p2", "p3");
    assertThat(ids("--tags", "odd", "--bbox", "2,49,9,51")).containsExactly("p3", "p5");
    assertThat(ids("--where", "p.n>=4")).containsExactly("p4", "p5");
    assertThat(ids("--where", "p.n>1", "--where", "p.name!='P 3'&p.n<5"))
        .containsExactly("p2", "p4");
    assertThat(ids("--order", "p.n desc", "--limit", "2")).containsExactly("p5", "p4");
    assertThat(ids("--tile", "1")).containsExactly("p1", "p2", "p3", "p4", "p5");
    assertThat(ids("--tile", "0")).isEmpty();
    assertThat(ids("--here-tile", "122")).containsExactly("p1", "p2", "p3", "p4", "p5");
    assertThat(ids("--tile", "122")).isEmpty();
    assertThat(ids("--bbox", "1.5,49,3.5,51", "--outside")).containsExactly("p1", "p4", "p5");
    assertThat(done("query", "points", "--where", "p.n=7")).isEqualTo("no features");
    assertThat(done("query", "points", "--limit", "1", "--select", "p.name", "--json"))
        .startsWith("{\"type\":\"FeatureCollection\",\"features\":[{\"id\":\"p1\",")
        .contains("\"name\":\"P 1\"")
        .doesNotContain("\"n\":1");
    assertThat(done("query", "points", "--bbox", "0,49,9,51", "--explain")).contains("Scan");
  }

  @Test
  void pagesGoOnAndThePastStays() throws IOException {
    String first = done("query", "points", "--limit", "3");
    String handle = FeatureCommandsTest.found("more with --page (\\S+)$", first);
    String txn = FeatureCommandsTest.found("\"txn\":(\\d+)", done("get", "points", "p1", "--json"));
    done("delete", "points", "p4");
    done("put", "points", file("p5.geojson", point(5).replace("P 5", "new")));

    assertThat(ids("--limit", "3", "--page", handle)).containsExactly("p4", "p5");
    assertThat(done("query", "points", "--limit", "3", "--page", handle))
        .contains("P 5")
        .doesNotContain("new", "more with");
    assertThat(ids("--at", txn)).containsExactly("p1", "p2", "p3", "p4", "p5");
    assertThat(ids("--at", "9000-01-01T00:00:00Z")).containsExactly("p1", "p2", "p3", "p5");
    assertThat(ids()).containsExactly("p1", "p2", "p3", "p5");
    assertThat(ids("--deleted")).contains("p4").hasSize(5);
    assertThat(done("query", "points", "--versions", "--where", "f.id=p5"))
        .matches("(?s)ID  VERSION  ACTION .*p5  1        CREATE .*p5  2        UPDATE .*new.*");
  }

  @Test
  void aPageOfATimeThatPassesNamesTheMomentThatItIsOf() throws IOException {
    Outcome first = three("--at", "now");
    String at = FeatureCommandsTest.found("more with --at (\\S+) --page", first.out().strip());
    String handle = FeatureCommandsTest.found("--page (\\S+)$", first.out().strip());
    assertThat(at).matches("20\\d\\d-.*Z");
    done("delete", "points", "p4");
    assertThat(ids("--limit", "3", "--at", at, "--page", handle)).containsExactly("p4", "p5");
    Outcome other = three("--at", "now", "--page", handle);
    assertThat(other.exitCode()).isEqualTo(4);

    Outcome json = three("--at", "now", "--json");
    JsonNode page = new JsonMapper().readTree(json.out());
    String next = page.path("next").asText();
    assertThat(ids("--limit", "3", "--at", page.path("at").asText(), "--page", next))
        .containsExactly("p5");
    assertThat(new JsonMapper().readTree(three("--json").out()).has("at")).isFalse();
  }

  private Outcome three(String... more) {
    return run(LedgerCommandFixture.with(more, "query", "points", "--limit", "3"));
  }

  @Test
  void whatIsNotUnderstoodSaysWhere() {
    failed(4, "west,south,east,north", "query", "points", "--bbox", "1,2,3");
    failed(2, "--near takes LON,LAT,METRES", "query", "points", "--near", "1,2");
    failed(4, "is no quadkey", "query", "points", "--tile", "5");
    failed(4, "is no quadkey", "query", "points", "--here-tile", "5");
    failed(4, "goes with one place, and there are 0", "query", "points", "--outside");
    failed(4, "", "query", "points", "--where", "p.n>");
    failed(4, "can't be read at position", "query", "points", "--tags", "a;b");
    failed(4, "limit of 0", "query", "points", "--limit", "0");
    failed(4, "", "query", "points", "--page", "nonsense");
    failed(4, "can be cut to a box", "query", "points", "--clip");
    failed(2, "exclude one another", "query", "points", "--deleted", "--versions");
    failed(2, "--order takes a field", "query", "points", "--order", "p.n up");
    failed(1, "there is no collection 'none'", "query", "none");
  }
}
