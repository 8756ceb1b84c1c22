// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.activity.Activity;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What was done to a feature: case F13; and what a transaction did to features. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ActivityTest {

  private TestStorage storage;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private static Feature road(String properties, String tags) {
    return Feature.parse(
        ("{\"type\": \"Feature\", \"id\": \"r\", \"geometry\": {\"type\": \"Point\","
                + " \"coordinates\": [8, 50, 0]}, \"properties\": {%s, \"@ns:com:here:xyz\":"
                + " {\"tags\": [%s]}}}")
            .formatted(properties, tags));
  }

  private Txn write(String collection, Write write) {
    return storage.features.transact(
        ALICE,
        tx -> {
          assertThat(tx.write(collection, List.of(write)).done()).isTrue();
          return tx.txn();
        });
  }

  @Test
  void f13EachVersionComesWithHowToGetBackToTheOneBefore() {
    String foo = storage.create(CollectionOptions.none());
    write(
        foo,
        Write.create(
            road(
                "\"speedLimit\": \"60\", \"toBeDeleted\": {\"foo\": \"bar\"}",
                "\"one\", \"two\"")));
    write(foo, Write.update(road("\"speedLimit\": \"80\"", "\"three\", \"four\", \"five\"")));
    write(foo, Write.delete("r"));

    List<Activity> log = storage.features.read(r -> r.activity(foo, "r"));

    assertThat(log).extracting(Activity::action).containsExactly("DELETE", "UPDATE", "CREATE");
    assertThat(log.get(0).diff()).isEmpty();
    assertThat(log.get(2).diff()).isEmpty();
    String tags = "/properties/@ns:com:here:xyz/tags/";
    JsonNode diff = log.get(1).diff().orElseThrow();
    assertThat(diff.path("add").asInt()).isEqualTo(1);
    assertThat(diff.path("remove").asInt()).isEqualTo(1);
    assertThat(diff.path("replace").asInt()).isEqualTo(3);
    assertThat(diff.path("ops"))
        .extracting(JsonNode::toString)
        .containsExactly(
            "{\"op\":\"replace\",\"path\":\"" + tags + "0\",\"value\":\"one\"}",
            "{\"op\":\"replace\",\"path\":\"" + tags + "1\",\"value\":\"two\"}",
            "{\"op\":\"remove\",\"path\":\"" + tags + "2\"}",
            "{\"op\":\"replace\",\"path\":\"/properties/speedLimit\",\"value\":\"60\"}",
            "{\"op\":\"add\",\"path\":\"/properties/toBeDeleted\",\"value\":{\"foo\":\"bar\"}}");

    JsonNode update = log.get(1).json();
    JsonNode own = update.path("properties").path("@ns:com:here:xyz:log");
    JsonNode xyz = update.path("properties").path("@ns:com:here:xyz");
    assertThat(update.path("id")).isEqualTo(xyz.path("uuid"));
    assertThat(own.path("id").asText()).isEqualTo("r");
    assertThat(own.path("original").path("space").asText()).isEqualTo(foo);
    assertThat(own.path("original").path("puuid")).isEqualTo(xyz.path("puuid"));
    assertThat(update.path("geometry").path("coordinates").path(0).asInt()).isEqualTo(8);
  }

  @Test
  void f13AVersionWhoseOldStateIsNotKeptHasNoDifference() {
    String foo = storage.create(CollectionOptions.none().unpartitioned().withoutHistory());
    write(foo, Write.create(road("\"a\": 1", "")));
    write(foo, Write.update(road("\"a\": 2", "")));

    List<Activity> log = storage.features.read(r -> r.activity(foo, "r"));

    assertThat(log).extracting(Activity::action).containsExactly("UPDATE");
    assertThat(log.get(0).diff()).isEmpty();
  }

  @Test
  void whatATransactionDidToFeaturesIsFoundByItsNumber() {
    String foo = storage.create(CollectionOptions.none());
    Txn create = write(foo, Write.create(road("\"a\": 1", "")));
    Txn update = write(foo, Write.update(road("\"a\": 2", "")));
    Txn delete = write(foo, Write.delete("r"));

    assertThat(actions(foo, create)).containsExactly("CREATE");
    assertThat(actions(foo, update)).containsExactly("UPDATE");
    assertThat(actions(foo, delete)).containsExactly("DELETE");
    assertThat(actions(foo, new Txn(delete.value() + 1))).isEmpty();
  }

  private List<String> actions(String collection, Txn txn) {
    List<Feature> made = storage.features.read(r -> r.madeBy(collection, txn));
    return made.stream().map(state -> state.xyz().orElseThrow().action()).toList();
  }
}
