// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.features.CollectionAdministration;
import io.tidemark.api.features.CollectionRemoval;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.CollectionsRequest;
import io.tidemark.api.features.ExpectedState;
import io.tidemark.api.features.FeatureBatch;
import io.tidemark.api.features.FeatureCollectionExistsException;
import io.tidemark.api.features.FeatureCollectionInfo;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeaturePage;
import io.tidemark.api.features.FeaturePutResult;
import io.tidemark.api.features.FeaturePutResult.Conflict;
import io.tidemark.api.features.FeaturePutResult.Created;
import io.tidemark.api.features.FeaturePutResult.Updated;
import io.tidemark.api.features.FeatureWrite;
import io.tidemark.api.features.FoundFeatures;
import io.tidemark.api.features.LookupRequest;
import io.tidemark.api.features.WrittenFeatures;
import io.tidemark.api.features.WrittenFeatures.Result;
import io.tidemark.api.features.WrittenFeatures.Row;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Promises of collections: their administration, and reads and writes of single features. */
public abstract class FeatureCollectionContract extends FeatureServiceContract {

  private List<String> listed(CollectionsRequest request) {
    return features.collections(request).stream().map(FeatureCollectionInfo::id).toList();
  }

  @Test
  void aCollectionIsHiddenRestoredAndDropped() {
    CollectionAdministration administration = collection.administration();
    assertThat(administration.info().id()).isEqualTo(id);
    assertThat(listed(CollectionsRequest.current())).contains(id).isSorted();

    assertThat(administration.delete())
        .isEqualTo(new CollectionRemoval(CollectionRemoval.Kind.DELETED, id, true));
    assertThat(administration.info().isDeleted()).isTrue();
    assertThat(listed(CollectionsRequest.current())).doesNotContain(id);
    assertThat(listed(CollectionsRequest.withDeleted())).contains(id);

    assertThat(administration.restore().isDeleted()).isFalse();
    assertThat(listed(CollectionsRequest.current())).contains(id);

    assertThat(administration.purge())
        .isEqualTo(new CollectionRemoval(CollectionRemoval.Kind.PURGED, id, true));
    assertThat(administration.purge())
        .isEqualTo(new CollectionRemoval(CollectionRemoval.Kind.PURGED, id, false));
    assertThat(administration.delete())
        .isEqualTo(new CollectionRemoval(CollectionRemoval.Kind.DELETED, id, false));
    assertFails("collection-not-found", administration::info);
    assertFails("collection-not-found", administration::restore);
    assertFails("collection-not-found", () -> administration.update(CollectionSettings.none()));
  }

  @Test
  void aCollectionThatExistsIsToldWithItsState() {
    CollectionAdministration administration = collection.administration();
    assertThatThrownBy(() -> administration.create(oneTable()))
        .isInstanceOfSatisfying(
            FeatureCollectionExistsException.class,
            e -> {
              assertThat(e.code()).isEqualTo("already-exists");
              assertThat(e.actual().id()).isEqualTo(id);
              assertThat(e.actual().isDeleted()).isFalse();
            });

    CollectionRemoval unused = administration.delete();

    assertThatThrownBy(() -> administration.create(oneTable()))
        .isInstanceOfSatisfying(
            FeatureCollectionExistsException.class,
            e -> assertThat(e.actual().isDeleted()).isTrue())
        .hasMessageContaining("restore it");
  }

  @Test
  void onlyTheGivenSettingsAreChanged() {
    CollectionAdministration administration = collection.administration();
    FeatureCollectionInfo changed =
        administration.update(
            CollectionSettings.none()
                .withMaxAge(OptionalLong.of(7))
                .withHistoryEnabled(Optional.of(false))
                .idPrefix("urn:")
                .author("bob"));
    assertThat(changed).isEqualTo(administration.info());
    assertThat(changed.json().path("maxAge").asLong()).isEqualTo(7);
    assertThat(changed.json().path("historyEnabled").asBoolean()).isFalse();
    assertThat(changed.json().path("idPrefix").asText()).isEqualTo("urn:");

    JsonNode cleared = administration.update(CollectionSettings.none().idPrefix("")).json();

    assertThat(cleared.path("idPrefix").isTextual()).isFalse();
    assertThat(cleared.path("author").asText()).isEqualTo("bob");
    assertThat(cleared.path("maxAge").asLong()).isEqualTo(7);
    assertFails(
        "invalid-request",
        () -> administration.update(CollectionSettings.none().withMaxAge(OptionalLong.of(-1))));
  }

  @Test
  void aFeatureIsKeptToTheLastDigit() {
    ObjectNode feature = point("a", "one");
    ((ObjectNode) feature.path("properties"))
        .setAll(json("{'price': 1.10, 'long': 12345678901234567890.123456789}"));

    FeaturePutResult result = collection.put("a", feature, ExpectedState.any());

    ObjectNode state = ((Created) result).state();
    assertThat(state.path("properties").path("price")).hasToString("1.10");
    assertThat(state.path("properties").path("long")).hasToString("12345678901234567890.123456789");
    assertThat(state.path("geometry").path("coordinates")).hasToString("[8.5,50.25,0.0]");
    assertThat(xyz(state).path("author").asText()).isEqualTo("ann");
    assertThat(xyz(state).path("app_id").asText()).isEqualTo("test");
    assertThat(txn(state)).isGreaterThan(1L << 53);
    assertThat(collection.get("a").map(FeatureServiceContract::parsed)).contains(parsed(state));
    assertThat(collection.get("never")).isEmpty();
  }

  @Test
  void aFeatureTakesTheIdThatItIsPutUnder() {
    ObjectNode feature = point("a", "one");
    feature.remove("id");
    ObjectNode sent = feature.deepCopy();

    FeaturePutResult result = collection.put("a", sent, ExpectedState.absent());

    assertThat(((Created) result).state().path("id").asText()).isEqualTo("a");
    assertThat(sent).isEqualTo(feature);
    assertFails("invalid-request", () -> collection.put("b", point("c", "x"), ExpectedState.any()));
    assertFails(
        "invalid-feature",
        () -> collection.put("b", json("{'type': 'Feature', 'geometry': 7}"), ExpectedState.any()));
    assertFails(
        "collection-not-found",
        () -> features.collection(newId()).put("a", point("a", "x"), ExpectedState.any()));
  }

  @Test
  void aLostRaceIsAConflictWithTheActualState() {
    ObjectNode feature = point("a", "one");
    ObjectNode first =
        parsed(((Created) collection.put("a", feature, ExpectedState.absent())).state());
    assertThat(collection.put("a", feature, ExpectedState.absent()))
        .isInstanceOfSatisfying(
            Conflict.class,
            conflict -> {
              assertThat(conflict.actual().map(FeatureServiceContract::parsed)).contains(first);
              assertThat(conflict.message()).contains("nothing was written");
            });
    ExpectedState known = ExpectedState.uuid(uuid(first));
    ObjectNode second = parsed(((Updated) collection.put("a", feature, known)).state());
    assertThat(collection.put("a", feature, known))
        .isInstanceOfSatisfying(
            Conflict.class,
            conflict ->
                assertThat(conflict.actual().map(FeatureServiceContract::parsed)).contains(second));
    assertThat(collection.put("a", feature, ExpectedState.present())).isInstanceOf(Updated.class);
    for (ExpectedState there : List.of(known, ExpectedState.present())) {
      assertThat(collection.put("gone", point("gone", "x"), there))
          .isInstanceOfSatisfying(
              Conflict.class, conflict -> assertThat(conflict.actual()).isEmpty());
    }
    assertThat(collection.put("a", feature, ExpectedState.uuid("no \"uuid\" ü\n")))
        .isInstanceOf(Conflict.class);
  }

  @Test
  void idsMayHaveAnyCharacters() {
    for (String each : List.of("b/c d", "ü?#%&+", "a..b/../c", "'; DROP TABLE x; --", "q\"q")) {
      ObjectNode feature = point("x", each.replace("\"", "").replace("'", ""));
      feature.put("id", each);
      ObjectNode state =
          parsed(((Created) collection.put(each, feature, ExpectedState.absent())).state());
      assertThat(state.path("id").asText()).isEqualTo(each);
      assertThat(collection.get(each).map(FeatureServiceContract::parsed)).contains(state);
      assertThat(parsed(collection.history(each, 10, Optional.empty()).features()))
          .containsExactly(state);
    }
  }

  @Test
  void featuresAreLookedUpInTheOrderOfTheirIds() {
    ObjectNode old = put("a", "old");
    put("a", "new");
    put("b", "b");

    FoundFeatures found = collection.lookup(LookupRequest.of(List.of("b", "none", "a")));

    assertThat(ids(found.features())).containsExactly("b", "a");
    assertThat(found.missing()).containsExactly("none");
    LookupRequest past =
        LookupRequest.of(List.of("b", "a")).at(FeatureMoment.transaction(txn(old)));
    assertThat(names(collection.lookup(past).features())).containsExactly("old");
    assertThat(collection.lookup(past).missing()).containsExactly("b");
    assertThat(collection.write(FeatureBatch.of(List.of(FeatureWrite.delete("a")))).committed())
        .isTrue();
    LookupRequest deleted = LookupRequest.of(List.of("a", "b")).withDeleted(true);
    assertThat(ids(collection.lookup(deleted).features())).containsExactly("a");
    assertThat(collection.lookup(deleted).missing()).containsExactly("b");
    assertFails(
        "collection-not-found", () -> features.collection(newId()).lookup(LookupRequest.of("a")));
    assertFails(
        "invalid-request",
        () -> collection.lookup(LookupRequest.of("a").at(new FeatureMoment("yesterday"))));
  }

  @Test
  void idsWithThePrefixOfTheCollectionAreFound() {
    Object unused = collection.administration().update(CollectionSettings.none().idPrefix("urn:"));
    put("a", "x");

    FoundFeatures found = collection.lookup(LookupRequest.of(List.of("urn:a", "a", "urn:b")));

    assertThat(found.missing()).containsExactly("urn:b");
  }

  @Test
  void anyNumberOfFeaturesIsLookedUp() {
    assertThat(fill(1_500).loaded()).isEqualTo(1_500);
    List<String> all = IntStream.range(0, 1_501).mapToObj("f%05d"::formatted).toList();

    FoundFeatures found = collection.lookup(LookupRequest.of(all));

    assertThat(ids(found.features())).isEqualTo(all.subList(0, 1_500));
    assertThat(found.missing()).containsExactly("f01500");
  }

  @Test
  void aBatchIsWrittenAsAWhole() {
    WrittenFeatures written =
        collection.write(
            FeatureBatch.of(
                List.of(
                    FeatureWrite.create(point("a", "one")), FeatureWrite.upsert(point("b", "two"))),
                Map.of("ticket", "17")));

    assertThat(written.committed()).isTrue();
    assertThat(written.firstProblem()).isEmpty();
    long txn = written.txn().orElseThrow();
    ObjectNode state = collection.get("a").orElseThrow();
    assertThat(txn(state)).isEqualTo(txn);
    assertThat(written.rows())
        .extracting(Row::result, Row::id)
        .containsExactly(tuple(Result.CREATED, "a"), tuple(Result.CREATED, "b"));
    assertThat(written.rows().get(0).uuid()).contains(uuid(state));
    assertThat(written.rows().get(0).version()).contains(1L);

    WrittenFeatures next =
        collection.write(
            FeatureBatch.of(
                List.of(
                    FeatureWrite.update(point("a", "two")).expecting(uuid(state)),
                    FeatureWrite.delete("b"),
                    FeatureWrite.delete("never"))));

    assertThat(next.rows())
        .extracting(Row::result)
        .containsExactly(Result.UPDATED, Result.DELETED, Result.RETAINED);
    assertThat(collection.get("b")).isEmpty();
    assertThat(
            collection
                .write(FeatureBatch.of(List.of(FeatureWrite.purge("a"))))
                .rows()
                .get(0)
                .result())
        .isEqualTo(Result.PURGED);
  }

  @Test
  void ofABatchThatIsRefusedNothingIsWritten() {
    ObjectNode state = put("a", "one");

    WrittenFeatures refused =
        collection.write(
            FeatureBatch.of(
                List.of(
                    FeatureWrite.upsert(point("b", "x")),
                    FeatureWrite.create(point("a", "x")),
                    FeatureWrite.update(point("never", "x")))));

    assertThat(refused.committed()).isFalse();
    assertThat(refused.txn()).isEmpty();
    Row conflict = refused.firstProblem().orElseThrow();
    assertThat(conflict.result()).isEqualTo(Result.CONFLICT);
    assertThat(conflict.actual().map(FeatureServiceContract::parsed)).contains(state);
    assertThat(conflict.message()).isPresent();
    assertThat(refused.rows().get(2).result()).isEqualTo(Result.MISSING);
    assertThat(collection.get("b")).isEmpty();
  }

  @Test
  void aGeoJsonCollectionIsABatch() {
    ObjectNode all = json("{'type': 'FeatureCollection'}");
    all.putArray("features").add(point("a", "x")).add(json("{'type': 'Feature'}"));
    ObjectNode sent = all.deepCopy();

    WrittenFeatures written = collection.write(new FeatureBatch(all));

    assertThat(written.rows()).extracting(Row::result).containsOnly(Result.CREATED);
    assertThat(written.rows().get(1).id()).isNotEmpty();
    assertThat(all).isEqualTo(sent);
    assertFails("invalid-request", () -> collection.write(new FeatureBatch(json("{'writes': 7}"))));
    assertFails(
        "invalid-feature",
        () ->
            collection.write(
                new FeatureBatch(json("{'type': 'FeatureCollection', 'features': [7]}"))));
    assertFails(
        "collection-not-found", () -> features.collection(newId()).write(new FeatureBatch(all)));
  }

  @Test
  void theHistoryOfAFeatureIsPaged() {
    for (int i = 1; i <= 5; i++) {
      put("a", "n" + i);
    }

    FeaturePage first = collection.history("a", 3, Optional.empty());
    FeaturePage second = collection.history("a", 3, first.next());

    assertThat(names(first.features())).containsExactly("n1", "n2", "n3");
    assertThat(names(second.features())).containsExactly("n4", "n5");
    assertThat(second.next()).isEmpty();
    FeaturePage activity = collection.activity("a", 2, Optional.empty());
    assertThat(names(activity.features())).containsExactly("n5", "n4");
    assertThat(names(collection.activity("a", 5, activity.next()).features()))
        .containsExactly("n3", "n2", "n1");
  }

  @Test
  void aFeatureThatNeverWasHasNoHistory() {
    assertThat(collection.history("never", 10, Optional.empty()))
        .isEqualTo(new FeaturePage(List.of(), Optional.empty()));
    assertThat(collection.activity("never", 10, Optional.empty()))
        .isEqualTo(new FeaturePage(List.of(), Optional.empty()));
    CollectionService nowhere = features.collection(newId());
    assertFails("collection-not-found", () -> nowhere.history("a", 10, Optional.empty()));
    assertFails("collection-not-found", () -> nowhere.activity("a", 10, Optional.empty()));
  }

  @Test
  void aHistoryThatIsLongerThanAPageOfAServerIsOnePage() {
    for (int i = 0; i < 1_010; i++) {
      assertThat(write("a").committed()).isTrue();
    }

    FeaturePage states = collection.history("a", 1_005, Optional.empty());

    assertThat(states.features()).hasSize(1_005).doesNotHaveDuplicates();
    assertThat(collection.history("a", 1_005, states.next()).features()).hasSize(5);
  }
}
