// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.activity.Activity;
import io.tidemark.features.bulk.output.CollectionExportOptions;
import io.tidemark.features.bulk.output.CollectionExportOptions.At;
import io.tidemark.features.bulk.output.CollectionExportOptions.OutputFormat;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.Txn;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.query.FeatureFilter;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transaction that took its number early and replaces what one with a higher number has made:
 * cases D18 to D20 for those who write plain SQL.
 */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OvertakenTransactionTest {

  private TestStorage storage;
  private Psql early;
  private String c;
  private Txn first;
  private Txn slow;
  private Txn quick;

  @BeforeAll
  void write(PostgresServer server) throws SQLException {
    storage = TestStorage.in(server);
    early = Psql.connect(storage.url);
    c = storage.create(CollectionOptions.none());
    storage.put(c, "{\"id\": \"f\", \"properties\": {\"n\": 1}}", "{\"id\": \"g\"}");
    early.run("BEGIN", "SELECT naksha_tx_start('early', 'eve')");
    slow = new Txn(early.number("SELECT naksha_txn()"));
    storage.psql.as("late", "leo", setting(c, 2));
    early.run(setting(c, 3), "COMMIT");
    List<Feature> states = storage.features.read(r -> r.versions(c, "f"));
    first = txn(states.get(0));
    quick = new Txn(storage.psql.number("SELECT max(txn) FROM naksha_tx"));
    assertThat(Stream.of(first, slow, quick)).isSorted().doesNotHaveDuplicates();
  }

  @AfterAll
  void close() {
    early.close();
    storage.close();
  }

  private static String setting(String collection, int n) {
    return "UPDATE %s SET jsondata = jsonb_set(jsondata, '{properties,n}', '%d') WHERE jsondata->>'id' = 'f'"
        .formatted(collection, n);
  }

  private static Txn txn(Feature state) {
    return state.xyz().orElseThrow().txn();
  }

  private static List<Integer> ns(List<Feature> states) {
    return states.stream().map(f -> f.data().path("properties").path("n").intValue()).toList();
  }

  private List<Feature> at(Txn version) {
    return storage.features.read(r -> r.byIdsAt(c, List.of("f"), version));
  }

  private List<Feature> query(FeatureQuery.Builder query) {
    FeatureQuery built = query.build();
    return storage.features.read(r -> r.query(built)).features();
  }

  @Test
  void d18ThereIsOneStateAtEachVersion() {
    assertThat(ns(at(first))).containsExactly(1);
    assertThat(ns(at(slow))).containsExactly(3);
    assertThat(ns(at(quick))).containsExactly(3);
  }

  @Test
  void aQueryFindsTheSameStatesWhateverItAsksFor() {
    FeatureQuery.Builder all = FeatureQuery.from(c).ids(List.of("f"));

    assertThat(ns(query(all.at(first)))).containsExactly(1);
    assertThat(ns(query(all.at(slow)))).containsExactly(3);
    assertThat(ns(query(all.at(quick)))).containsExactly(3);
    FeatureQuery.Builder old = FeatureQuery.from(c).where(FeatureFilter.parse("p.n=1"));
    assertThat(ns(query(old.at(slow)))).isEmpty();
  }

  @Test
  void anExportHasEachFeatureOnce() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CollectionExportOptions options =
        CollectionExportOptions.of(OutputFormat.GEOJSON_SEQ).with(new At.Version(slow));

    assertThat(storage.features.bulk().export(c, options).to(out, n -> {})).isEqualTo(2);

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\"n\": 3")
        .doesNotContain("\"n\": 1");
  }

  @Test
  void theStateThatWasReplacedByALowerNumberIsFoundByItsTransaction() {
    assertThat(ns(storage.features.read(r -> r.madeBy(c, quick)))).containsExactly(2);
  }

  @Test
  void statesAndActivitiesAreInTheOrderInWhichTheyWereMade() {
    assertThat(ns(storage.features.read(r -> r.versions(c, "f")))).containsExactly(1, 2, 3);

    List<Activity> activities = storage.features.read(r -> r.activity(c, "f"));

    assertThat(activities)
        .extracting(Activity::action)
        .containsExactly("UPDATE", "UPDATE", "CREATE");
    JsonNode back = activities.get(0).diff().orElseThrow().path("ops").get(0);
    assertThat(back.path("path").asText()).isEqualTo("/properties/n");
    assertThat(back.path("value").intValue()).isEqualTo(2);
  }

  @Test
  void aStateThatWasReplacedByATransactionOfYesterdayIsFoundByItsGuid() throws SQLException {
    String own = storage.small();
    storage.put(own, "{\"id\": \"f\", \"properties\": {\"n\": 1}}");
    Feature state = storage.features.read(r -> r.byId(own, "f")).orElseThrow();
    LocalDate today = txn(state).day();
    LocalDate day = today.minusDays(1);
    storage.psql.as(
        "early",
        "eve",
        ("SELECT set_config('naksha.public_txn', '%s', true),"
                + " set_config('naksha.public_date', ':%d:%d:%d:', true)")
            .formatted(Txn.of(day, 7), day.getYear(), day.getMonthValue(), day.getDayOfMonth()),
        setting(own, 2));

    Guid guid = Guid.parse(state.xyz().flatMap(XyzNamespace::uuid).orElseThrow());
    assertThat(ns(storage.features.read(r -> r.byGuid(guid)).stream().toList())).containsExactly(1);
    assertThat(ns(storage.features.read(r -> r.madeBy(own, txn(state))))).containsExactly(1);
    assertThat(storage.features.checker().check(own).flaws()).isEmpty();
  }

  @Test
  void aLaterPageOfAVersionDoesNotMissWhatIsOvertakenMeanwhile() throws SQLException {
    String own = storage.small();
    storage.put(own, "{\"id\": \"a\"}", "{\"id\": \"f\", \"properties\": {\"n\": 1}}");
    try (Psql waiting = Psql.connect(storage.url)) {
      waiting.run("BEGIN", "SELECT naksha_tx_start('early', 'eve')");
      Txn version = new Txn(waiting.number("SELECT naksha_txn()"));
      storage.psql.as("late", "leo", setting(own, 2));
      FeatureQuery query = FeatureQuery.from(own).at(version).limit(1).build();
      String next = storage.features.read(r -> r.query(query)).next().orElseThrow();
      waiting.run(setting(own, 3), "COMMIT");

      FeatureQuery further = query.after(next);
      assertThat(ns(storage.features.read(r -> r.query(further)).features())).containsExactly(1);
      assertThat(ns(query(FeatureQuery.from(own).at(version).ids(List.of("f")))))
          .containsExactly(3);
    }
  }

  /** Deleted by later numbers and created anew by an earlier one, of which nothing is replaced. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatWasCreatedAnewByALowerNumberThanItsDeletionIsThereOnce(boolean replacedLater)
      throws SQLException {
    String own = storage.create(CollectionOptions.none());
    storage.put(own, "{\"id\": \"f\", \"properties\": {\"n\": 1}}", "{\"id\": \"g\"}");
    Txn version;
    Txn updated;
    try (Psql waiting = Psql.connect(storage.url)) {
      waiting.run("BEGIN", "SELECT naksha_tx_start('early', 'eve')");
      version = new Txn(waiting.number("SELECT naksha_txn()"));
      storage.psql.as("late", "leo", setting(own, 2));
      updated = new Txn(storage.psql.number("SELECT max(txn) FROM naksha_tx"));
      storage.features.write(ALICE, own, List.of(Write.delete("f"), Write.delete("g")));
      waiting.run(
          "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"f\", \"properties\": {\"n\": 3}}')"
              .formatted(own),
          "COMMIT");
    }
    if (replacedLater) {
      storage.psql.as("late", "leo", setting(own, 4));
    }

    for (FeatureQuery.Builder query :
        List.of(FeatureQuery.from(own).ids(List.of("f")), FeatureQuery.from(own))) {
      assertThat(ns(query(query.at(version))).subList(0, 1)).containsExactly(3);
      assertThat(ns(query(query.at(updated))).subList(0, 1)).containsExactly(2);
    }
    assertThat(storage.ids(FeatureQuery.from(own).at(version))).containsExactly("f", "g");
    assertThat(storage.ids(FeatureQuery.from(own).at(updated))).containsExactly("f", "g");
    assertThat(query(FeatureQuery.from(own).where(FeatureFilter.parse("p.n=1")).at(version)))
        .isEmpty();
    assertThat(storage.ids(FeatureQuery.from(own).ids(List.of("f")).at(version)))
        .containsExactly("f");
    assertThat(storage.features.checker().check(own).flaws()).isEmpty();
  }
}
