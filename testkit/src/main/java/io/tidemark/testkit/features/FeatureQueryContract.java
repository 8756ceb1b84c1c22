// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.CollectionsRequest;
import io.tidemark.api.features.ExpectedState;
import io.tidemark.api.features.FeatureBatch;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeaturePage;
import io.tidemark.api.features.FeatureQueries;
import io.tidemark.api.features.FeatureQueryRequest;
import io.tidemark.api.features.FeatureService;
import io.tidemark.api.features.FeatureWrite;
import io.tidemark.api.features.FoundFeatures;
import io.tidemark.api.features.LookupRequest;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Promises of queries of features. */
public abstract class FeatureQueryContract extends FeatureServiceContract {

  private FeatureQueries queries;
  private FeatureQueryRequest all = FeatureQueryRequest.of();

  @BeforeEach
  void openQueries() {
    queries = features.queries();
    all = FeatureQueryRequest.of(id);
  }

  private List<String> found(FeatureQueryRequest request) {
    return ids(queries.page(request).features());
  }

  private List<ObjectNode> streamed(FeatureQueryRequest request) {
    List<ObjectNode> found = new ArrayList<>();
    try (ResultStream<FeatureQueryRequest, ObjectNode> stream = queries.stream(request)) {
      assertThat(stream.header()).isEqualTo(request);
      stream.forEach(found::add);
    }
    return found;
  }

  @Test
  void aPageGoesOnWhereTheOneBeforeEnded() {
    assertThat(write("a", "b", "c").committed()).isTrue();
    FeatureQueryRequest two = all.withOrder(Optional.of("id")).limit(2);

    FeaturePage first = queries.page(two);
    assertThat(write("b0", "d").committed()).isTrue();
    FeaturePage second = queries.page(two.withCursor(first.next()));

    assertThat(ids(first.features())).containsExactly("a", "b");
    assertThat(ids(second.features())).containsExactly("c");
    assertThat(second.next()).isEmpty();
    assertThat(found(all)).containsExactlyInAnyOrder("a", "b", "b0", "c", "d");
  }

  @Test
  void aPageMayBeLongerThanThatOfAServer() {
    assertThat(fill(2_300).loaded()).isEqualTo(2_300);
    FeatureQueryRequest most = all.withOrder(Optional.of("id")).limit(2_100);

    FeaturePage page = queries.page(most);

    assertThat(page.features()).hasSize(2_100);
    assertThat(ids(page.features())).isSorted().doesNotHaveDuplicates();
    FeaturePage rest = queries.page(most.withCursor(page.next()));
    assertThat(rest.features()).hasSize(200);
    assertThat(rest.next()).isEmpty();
  }

  @Test
  void eachConditionNarrowsTheResult() {
    ObjectNode far = point("far", "far");
    far.set("geometry", json("{'type': 'Point', 'coordinates': [-70.5, 10]}"));
    ((ObjectNode) far.path("properties")).put("speed", 50);
    Object unused = collection.put("far", far, ExpectedState.any());
    put("near", "near");

    assertThat(found(all.where("p.speed>=50"))).containsExactly("far");
    assertThat(found(all.where("p.speed>=50").where("p.name='near'"))).isEmpty();
    assertThat(found(all.box(8, 50, 9, 51))).containsExactly("near");
    assertThat(found(all.withNear(Optional.of("8.5,50.25,100")))).containsExactly("near");
    assertThat(found(all.withBbox(Optional.of("8,50,9,51")).withOutside(true)))
        .containsExactly("far");
    assertThat(
            found(
                all.withGeometry(Optional.of(json("{'type':'Point','coordinates':[8.5,50.25]}")))
                    .withRadius(Optional.of(10.0))))
        .containsExactly("near");
    assertThat(found(all.withIds(Optional.of(List.of("far", "none"))))).containsExactly("far");
    assertThat(found(all.withOrder(Optional.of("-p.name")))).containsExactly("near", "far");
    ObjectNode selected = queries.page(all.withSelect(List.of("p.speed"))).features().get(0);
    assertThat(selected.path("properties").has("name")).isFalse();
  }

  @Test
  void severalCollectionsAreReadTogether() {
    put("a", "here");
    String other = newId();
    Object unused = created(other).put("b", point("b", "there"), ExpectedState.any());
    FeatureQueryRequest both = FeatureQueryRequest.of(id, other);

    assertThat(found(both)).containsExactlyInAnyOrder("a", "b");
    assertThat(ids(streamed(both))).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void pastAndDeletedStatesAreRead() {
    ObjectNode old = put("a", "old");
    ObjectNode now = put("a", "new");
    put("b", "b");
    Object unused = collection.write(FeatureBatch.of(List.of(FeatureWrite.delete("b"))));

    FeatureQueryRequest past = all.at(FeatureMoment.transaction(txn(old)));
    assertThat(uuids(queries.page(past).features())).containsExactly(uuid(old));
    assertThat(uuids(streamed(past))).containsExactly(uuid(old));
    assertThat(found(all)).containsExactly("a");
    assertThat(found(all.withDeleted(true))).containsExactlyInAnyOrder("a", "b");
    assertThat(names(queries.page(all.withVersions(true)).features())).contains("old", "new", "b");
    String guid = uuid(now);
    String unknown = guid.substring(0, guid.lastIndexOf(':') + 1) + "999999999999";
    FoundFeatures states = queries.states(List.of(guid, unknown, uuid(old)));
    assertThat(uuids(states.features())).containsExactly(uuid(now), uuid(old));
    assertThat(states.missing()).containsExactly(unknown);
    assertFails("invalid-request", () -> queries.states(List.of("no guid")));
  }

  @Test
  void aWrongQueryFailsBeforeTheFirstFeature() {
    List<FeatureQueryRequest> wrong =
        List.of(
            FeatureQueryRequest.of(),
            all.withBbox(Optional.of("1,2,3")),
            all.withNear(Optional.of("1,2")),
            all.withRadius(Optional.of(5.0)),
            all.withOutside(true),
            all.withClip(true),
            all.withTags(List.of("a;b")),
            all.where("p.name"),
            all.withOrder(Optional.of("nothing")),
            all.withSelect(List.of("nothing")),
            all.limit(0),
            all.at(new FeatureMoment("yesterday")),
            all.at(FeatureMoment.transaction(1)),
            all.withDeleted(true).withVersions(true));
    for (FeatureQueryRequest request : wrong) {
      assertFails("invalid-request", () -> queries.page(request));
      assertFails("invalid-request", () -> queries.stream(request));
    }
    assertFails("invalid-request", () -> queries.page(all.withCursor(Optional.of("nonsense"))));
    FeatureQueryRequest missing = FeatureQueryRequest.of(id, newId());
    assertFails("collection-not-found", () -> queries.page(missing));
    assertFails("collection-not-found", () -> queries.stream(missing));
    assertFails("collection-not-found", () -> queries.explain(missing));
  }

  @Test
  void aQueryIsExplained() {
    assertThat(queries.explain(all.where("p.speed>=50").limit(2_000)).plan()).isNotEmpty();
  }

  @Test
  void eachReadSeesTheTransactionThatItNames() {
    ObjectNode state = put("a", "x");
    FeatureService since = features.with(context().since(txn(state)));
    assertThat(since.collection(id).get("a").map(FeatureServiceContract::parsed)).contains(state);
    assertThat(parsed(since.queries().page(all).features())).containsExactly(state);

    FeatureService wrong = features.with(FeatureContext.standard().since(7));
    CollectionService reading = wrong.collection(id);
    for (ThrowingCallable read :
        List.<ThrowingCallable>of(
            () -> reading.get("a"),
            () -> reading.lookup(LookupRequest.of("a").at(FeatureMoment.transaction(txn(state)))),
            () -> reading.history("a", 10, Optional.empty()),
            () -> reading.activity("a", 10, Optional.empty()),
            () -> reading.administration().info(),
            () -> wrong.collections(CollectionsRequest.current()),
            () -> wrong.queries().page(all),
            () -> wrong.queries().explain(all),
            () -> wrong.queries().states(List.of(uuid(state))))) {
      assertThatThrownBy(read)
          .isInstanceOf(TidemarkException.class)
          .hasMessageContaining("'7' is no transaction number");
    }
  }

  @Test
  void allFeaturesAreStreamed() {
    assertThat(fill(3_000).loaded()).isEqualTo(3_000);
    ObjectNode exact = point("exact", "x");
    ((ObjectNode) exact.path("properties")).setAll(json("{'price': 1.10}"));
    Object unused = collection.put("exact", exact, ExpectedState.any());

    List<ObjectNode> found = streamed(all);

    assertThat(ids(found)).hasSize(3_001).doesNotHaveDuplicates();
    assertThat(found)
        .filteredOn(each -> each.path("id").asText().equals("exact"))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.path("properties").path("price")).hasToString("1.10");
              assertThat(txn(each)).isGreaterThan(1L << 53);
            });
    FeatureQueryRequest some = all.withOrder(Optional.of("id")).limit(1_500);
    assertThat(ids(streamed(some))).hasSize(1_500).isSorted();
    assertThat(streamed(all.where("p.name='none'"))).isEmpty();
  }

  @Test
  void aConsumerEndsAStream() {
    assertThat(fill(3_000).loaded()).isEqualTo(3_000);
    IllegalStateException enough = new IllegalStateException("enough");
    List<ObjectNode> taken = new ArrayList<>();
    try (ResultStream<FeatureQueryRequest, ObjectNode> stream = queries.stream(all)) {
      assertThatThrownBy(
              () ->
                  stream.forEach(
                      feature -> {
                        taken.add(feature);
                        if (taken.size() == 2) {
                          throw enough;
                        }
                      }))
          .isSameAs(enough);
    }
    assertThat(taken).hasSize(2);
  }

  @Test
  void aStreamEndsWhenItIsCancelled() {
    assertThat(fill(20_000).loaded()).isEqualTo(20_000);
    FeatureContext context = context();
    TidemarkException why = new TidemarkException(ErrorCode.STOPPED, "the caller has gone");
    try (ResultStream<FeatureQueryRequest, ObjectNode> stream =
        features.with(context).queries().stream(all)) {
      assertThatThrownBy(() -> stream.forEach(feature -> context.cancellation().cancel(why)))
          .isSameAs(why);
    }
  }
}
