// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.features.BatchOutcome;
import io.tidemark.client.features.Expected;
import io.tidemark.client.features.HttpFeatures;
import io.tidemark.client.features.HttpLog;
import io.tidemark.client.features.PutOutcome;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.RunningServer;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client of features, on a server. */
class HttpFeaturesTest extends FeaturesOverHttp {

  private HttpFeatures client;
  private String collection;

  /** The server that is asked. */
  RunningServer asked() {
    return server;
  }

  @BeforeEach
  void connect() {
    client = HttpFeatures.at(asked().server().address().toString()).app("test").by("ann");
    collection = collection();
  }

  private static ObjectNode json(String text) {
    try {
      return (ObjectNode) new JsonMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLostRaceIsAnOutcome() {
    ObjectNode feature = json(point("a", "one"));
    PutOutcome first = client.put(collection, "a", feature, new Expected.Absence());
    JsonNode state = ((PutOutcome.Written) first).state();
    assertThat(xyz(state).path("author").asText()).isEqualTo("ann");
    PutOutcome again = client.put(collection, "a", feature, new Expected.Absence());
    assertThat(again)
        .isInstanceOfSatisfying(
            PutOutcome.Conflict.class,
            conflict -> assertThat(uuid(conflict.actual().orElseThrow())).isEqualTo(uuid(state)));
    Expected known = new Expected.State(uuid(state));
    assertThat(client.put(collection, "a", feature, known)).isInstanceOf(PutOutcome.Written.class);
    assertThat(client.put(collection, "a", feature, known)).isInstanceOf(PutOutcome.Conflict.class);
    assertThat(client.put(collection, "gone", json(point("gone", "x")), known))
        .isInstanceOfSatisfying(
            PutOutcome.Conflict.class, conflict -> assertThat(conflict.actual()).isEmpty());
    assertThat(client.feature(collection, "a")).isPresent();
    assertThat(client.feature(collection, "never")).isEmpty();
  }

  @Test
  void eachReadNamesTheTransactionThatItHasToSee() {
    PutOutcome put = client.put(collection, "a", json(point("a", "x")), new Expected.Absence());
    long txn = xyz(((PutOutcome.Written) put).state()).path("txn").asLong();
    assertThat(client.since(txn).feature(collection, "a")).isPresent();
    // What is no number is refused, by which it is seen that the server is told.
    HttpFeatures wrong = client.since(7);
    ObjectNode query = json("{\"collections\": [\"%s\"]}".formatted(collection));
    for (ThrowingCallable read :
        List.<ThrowingCallable>of(
            () -> wrong.feature(collection, "a"),
            () -> wrong.features(collection, List.of("a")),
            () -> wrong.featuresAt(collection, List.of("a"), "2026-01-01T00:00:00Z"),
            () -> wrong.history(collection, "a"),
            () -> wrong.query(query))) {
      assertThatExceptionOfType(TidemarkException.class)
          .isThrownBy(read)
          .withMessageContaining("'7' is no transaction number");
    }
  }

  @Test
  void aBatchIsCommittedOrRefused() {
    ObjectNode batch =
        json("{\"writes\": [{\"op\": \"create\", \"feature\": %s}]}".formatted(point("a", "x")));
    assertThat(client.write(collection, batch))
        .isInstanceOfSatisfying(
            BatchOutcome.Committed.class, done -> assertThat(done.txn()).isPositive());
    assertThat(client.write(collection, batch))
        .isInstanceOfSatisfying(
            BatchOutcome.Refused.class,
            refused ->
                assertThat(refused.json().path("rows").findValuesAsText("result"))
                    .containsExactly("conflict"));
    assertThatExceptionOfType(TidemarkException.class)
        .isThrownBy(() -> client.write("nowhere", batch))
        .satisfies(e -> assertThat(e.code()).isEqualTo("collection-not-found"));
    assertThatExceptionOfType(TidemarkException.class)
        .isThrownBy(() -> client.write(collection, json("{\"writes\": 7}")))
        .satisfies(e -> assertThat(e.code()).isEqualTo("invalid-request"));
  }

  @Test
  void moreThanAPageIsFetchedInPages() {
    ObjectNode all = json("{\"type\": \"FeatureCollection\"}");
    ArrayNode list = all.putArray("features");
    for (int i = 0; i < 1_500; i++) {
      list.add(json(point("f%04d".formatted(i), "x")));
    }
    assertThat(client.write(collection, all)).isInstanceOf(BatchOutcome.Committed.class);
    ObjectNode question = json("{\"limit\": 1200}");
    question.putArray("collections").add(collection);
    JsonNode found = client.query(question);
    assertThat(found.path("features")).hasSize(1_200);
    assertThat(found.path("features").get(1_199).path("id").asText()).isEqualTo("f1199");
    question.put("cursor", found.path("next").asText());
    JsonNode rest = client.query(question);
    assertThat(rest.path("features")).hasSize(300);
    assertThat(rest.path("next").isNull()).isTrue();
  }

  @Test
  void theLogIsFollowed() {
    client.log().sequence();
    HttpLog.Feed feed = client.log().feed(-1);
    put(collection, "a", "x");
    client.log().sequence();
    List<String> collections =
        feed.next(Duration.ofSeconds(60)).orElseThrow().findValuesAsText("id");
    assertThat(collections).containsExactly(collection);
    assertThat(feed.next(Duration.ZERO)).isEmpty();
  }
}
