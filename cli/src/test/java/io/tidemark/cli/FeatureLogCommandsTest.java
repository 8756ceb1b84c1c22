// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log, its numbers, and care. */
class FeatureLogCommandsTest extends FeatureCommandFixture {

  private static final String POINT =
      "{\"type\":\"Feature\",\"id\":\"a\",\"properties\":{\"n\":1},"
          + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}";

  @BeforeEach
  void threeTransactions() throws IOException {
    done("collection", "create", "points", "--one-table");
    String file = file("a.geojson", POINT);
    done("put", "points", file, "--author", "ann", "-m", "ticket=42");
    done("put", "points", file("b.geojson", POINT.replace("\"n\":1", "\"n\":2")), "--app", "b");
  }

  @Test
  void theLogIsListedAndNumbered() throws IOException {
    assertThat(done("log"))
        .matches(
            "NUMBER  TXN                  TIME .*\\R"
                + "-       \\d{19}  \\S+ +-       b +features of points\\R"
                + "-       \\d{19}  \\S+ +ann     tidemark-cli  features of points, message ticket=42\\R"
                + "-       \\d{19}  \\S+ +-       tidemark-cli  collection points");
    assertThat(done("sequence", "--once"))
        .isEqualTo("3 transactions numbered; the last number is 3");
    assertThat(done("sequence", "--once", "--json")).isEqualTo("{\"numbered\":0,\"last\":3}");
    done("put", "points", file("c.geojson", POINT.replace("\"n\":1", "\"n\":3")));
    assertThat(done("sequence", "--once"))
        .isEqualTo("1 transaction numbered; the last number is 4");
    assertThat(done("log", "--seq", "2", "--limit", "1", "--json", "--text-txn"))
        .matches(
            "\\[\\{\"txn\":\"\\d{19}\",\"seq_number\":2,.*\"author\":\"ann\".*"
                + "\"action\":\"MODIFY_FEATURES\",\"id\":\"points\"},"
                + "\\{\"action\":\"MESSAGE\",\"id\":\"ticket\",\"msg_text\":\"42\",.*");
    assertThat(done("log", "--message", "ticket").lines()).hasSize(2);
    assertThat(done("log", "--message", "none")).isEqualTo("no transactions");
    assertThat(done("log", "--from", "2020010100000000000", "--limit", "2").lines()).hasSize(3);
    assertThat(done("log", "--follow", "--seq", "1", "--limit", "3").lines())
        .hasSize(3)
        .element(2)
        .asString()
        .startsWith("3  ");
    assertThat(done("log", "--follow", "--for", "0.1")).isEmpty();
  }

  @Test
  void itIsToldWhetherALostCommitTookPlace() {
    String logged = done("log", "--limit", "1", "--json");
    String id = FeatureCommandsTest.found("\"psql_id\":(\\d+)", logged);
    String began = FeatureCommandsTest.found("\"ts\":\"([^\"]+)", logged);

    assertThat(done("outcome", id, began)).isEqualTo("it took place; don't do it again");
    assertThat(done("outcome", id, began.replace('T', ' ').replace("Z", "+00"), "--json"))
        .isEqualTo("{\"tookPlace\":true}");
    assertThat(run("outcome", id, "2026-01-01 00:00:00+00"))
        .isEqualTo(new Outcome(1, "it didn't take place; do it again\n", ""));
    failed(4, "a transaction is asked for by its id", "outcome", id, "now()");
    failed(4, "a transaction is asked for by its id", "outcome", "x", began);
  }

  @Test
  void theSequencerMovesTheHeadsOfCollections() {
    String names = directory.resolve("names").toString();
    assertThat(done("sequence", "--for", "3", "--data", names))
        .contains("numbering; the last number is 3");
    assertThat(plain("list", "--data", names).out()).contains("store/points:main", " 3 store:txn:");
  }

  @Test
  void whatIsDueIsDone() {
    assertThat(done("maintain")).isNotEmpty();
    assertThat(done("maintain", "--json")).startsWith("{\"result\":\"done\",\"upkeep\":[");
    assertThat(done("collection", "info", "points")).contains("features          about 1");
    failed(2, "--keep-log can't be negative", "maintain", "--keep-log", "-1");
  }

  @Test
  void theHistoryTellsWhatChanged() {
    assertThat(done("history", "points", "a")).contains("n 1 -> 2");
    assertThat(done("history", "points", "a", "--diff"))
        .contains("\"ops\":[{\"op\":\"replace\",\"path\":\"/properties/n\",\"value\":1}]");
  }

  @Test
  void whatIsNotUnderstoodIsMisuse() {
    failed(2, "say one of --from, --seq and --message", "log", "--from", "1", "--seq", "1");
    failed(2, "of them --follow takes --seq", "log", "--follow", "--message", "m");
    failed(2, "begin with 1", "log", "--limit", "0");
    failed(2, "--for goes with --follow", "log", "--for", "1");
    failed(2, "--for goes without --once", "sequence", "--once", "--for", "1");
    failed(4, "is no transaction number", "log", "--from", "1");
  }
}
