// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernChange.Bound;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.EditDecision;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Missing;
import io.tidemark.names.NameBackend.Outcome;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameBackend.Retracted;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.Ref;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each operation asks of the store, and what happens when others come between. */
class RequestsTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final String MAIN = "ns@v2/mydb/main.json";
  private static final String INDEX = "ns@v2/mydb/main.index.json";

  private final RecordingBackend requests = new RecordingBackend();
  private final ObjectStore store = new ObjectStore(requests, Retry.standard());

  private ObjectNameBackend open(DocumentLayout documentLayout) {
    return new ObjectNameBackend(store, documentLayout, Retry.standard(), Clock.systemUTC());
  }

  private ObjectNameBackend open() {
    return open(DocumentLayout.B);
  }

  private static NameService names(ObjectNameBackend backend) {
    return new NameService(backend, NameOptions.standard().withoutNotifications());
  }

  private static ConcernValue value(long watermark) {
    return ConcernValue.of(
        watermark,
        Payload.parse("{\"id\":\"x" + watermark + "\",\"state\":\"s\",\"t\":" + watermark + "}"));
  }

  private static ConcernChange push(Concern concern, ConcernValue expected, long next) {
    return new ConcernChange.Push(concern, expected, value(next));
  }

  @ParameterizedTest
  @CsvSource({"A, 1, 1, 1", "B, 2, 1, 2", "C, 4, 2, 2"})
  void lookingUp(DocumentLayout documentLayout, int whole, int status, int index) {
    names(open(documentLayout)).create(MYDB);
    requests.take();
    open(documentLayout).find(MYDB);
    assertThat(requests.take()).hasSize(whole);
    open(documentLayout).get(MYDB, Concern.HEAD);
    assertThat(requests.take()).hasSize(1);
    open(documentLayout).get(MYDB, Concern.STATUS);
    assertThat(requests.take()).hasSize(status);
    open(documentLayout).get(MYDB, Concern.INDEX);
    assertThat(requests.take()).hasSize(index);
  }

  @Test
  void creatingIsOnePutAfterALookForTheOtherLayout() {
    names(open()).create(MYDB);
    assertThat(requests.take()).containsExactly("GET ns@v2/mydb/main.head.json", "PUT " + MAIN);
  }

  static Stream<Arguments> everyConcernOfEveryLayout() {
    return Stream.of(DocumentLayout.values())
        .flatMap(
            documentLayout ->
                Stream.of(Concern.values()).map(concern -> arguments(documentLayout, concern)));
  }

  @ParameterizedTest
  @MethodSource("everyConcernOfEveryLayout")
  void aPushTakesOneRequestWhenTheLastVersionIsKnownAndTwoOtherwise(
      DocumentLayout documentLayout, Concern concern) {
    int look = lookForTheMainDocument(documentLayout, concern);
    ObjectNameBackend backend = open(documentLayout);
    NameRecord made = names(backend).create(MYDB);
    backend.change(MYDB, push(concern, made.concern(concern), 2));
    requests.take();
    assertThat(backend.change(MYDB, push(concern, value(2), 3))).isEqualTo(new Applied(value(3)));
    assertThat(requests.take()).hasSize(1 + look);
    assertThat(open(documentLayout).change(MYDB, push(concern, value(3), 4)))
        .isEqualTo(new Applied(value(4)));
    assertThat(requests.take()).hasSize(2 + look);
    ObjectNameBackend reader = open(documentLayout);
    reader.find(MYDB);
    requests.take();
    assertThat(reader.change(MYDB, push(concern, value(4), 5))).isEqualTo(new Applied(value(5)));
    assertThat(requests.take()).hasSize(1 + look);
    assertThat(open(documentLayout).get(MYDB, concern)).contains(value(5));
  }

  /** A document beside the main one doesn't prove that the main one is there. */
  private static int lookForTheMainDocument(DocumentLayout documentLayout, Concern concern) {
    return documentLayout.apart().contains(concern) ? 1 : 0;
  }

  @ParameterizedTest
  @MethodSource("everyConcernOfEveryLayout")
  void nothingIsPushedToARecordWhoseMainDocumentWasRemovedByHand(
      DocumentLayout documentLayout, Concern concern) {
    ObjectNameBackend backend = open(documentLayout);
    NameRecord made = names(backend).create(MYDB);
    backend.change(MYDB, push(concern, made.concern(concern), 2));
    ObjectNameBackend reader = open(documentLayout);
    reader.find(MYDB);
    store.delete(documentLayout == DocumentLayout.C ? "ns@v2/mydb/main.head.json" : MAIN);
    for (ObjectNameBackend pusher : List.of(backend, reader, open(documentLayout))) {
      assertThat(pusher.change(MYDB, push(concern, value(2), 3))).isEqualTo(Missing.MISSING);
      assertThat(pusher.change(MYDB, push(concern, value(1), 3))).isEqualTo(Missing.MISSING);
      assertThat(pusher.change(MYDB, new ConcernChange.Advance(concern, value(9), Bound.NEWER)))
          .isEqualTo(Missing.MISSING);
      assertThat(pusher.find(MYDB)).isEmpty();
    }
    assertThat(names(backend).create(MYDB).concern(concern).watermark()).isLessThan(2);
    assertThat(reader.get(MYDB, concern)).isEqualTo(backend.get(MYDB, concern));
  }

  /** Fluree drops what it doesn't know, so the main document says no more whose the index is. */
  @Test
  void aFirstIndexCountsThoughAnotherProgramWritesTheMainDocumentMeanwhile() {
    ObjectNameBackend backend = open();
    NameRecord made = names(backend).create(MYDB);
    requests.before(
        "GET " + MAIN,
        () ->
            store.put(
                MAIN,
                Body.of(
                    "{\"@id\":\"mydb:main\",\"@type\":[\"f:LedgerSource\"],"
                        + "\"f:ledger\":{\"@id\":\"mydb\"},\"f:branch\":\"main\","
                        + "\"f:commitCid\":\"c1\",\"f:t\":1,\"f:status\":\"ready\"}"),
                Condition.none()));
    assertThat(backend.change(MYDB, push(Concern.INDEX, made.index(), 2)))
        .isEqualTo(new Applied(value(2)));
    NameRecord found = open().find(MYDB).orElseThrow();
    assertThat(found.index()).isEqualTo(value(2));
    assertThat(found.head().watermark()).isEqualTo(1);
    assertThat(backend.change(MYDB, push(Concern.INDEX, value(2), 3)))
        .isEqualTo(new Applied(value(3)));
  }

  @ParameterizedTest
  @MethodSource("everyConcernOfEveryLayout")
  void aConflictTakesAtMostTwoRequests(DocumentLayout documentLayout, Concern concern) {
    int most = 2 + lookForTheMainDocument(documentLayout, concern);
    ObjectNameBackend backend = open(documentLayout);
    NameRecord made = names(backend).create(MYDB);
    ObjectNameBackend reader = open(documentLayout);
    reader.find(MYDB);
    open(documentLayout).change(MYDB, push(concern, made.concern(concern), 2));
    // Whoever knows the record from before, from the start, or not at all.
    for (ObjectNameBackend rival : List.of(backend, reader, open(documentLayout))) {
      requests.take();
      assertThat(rival.change(MYDB, push(concern, made.concern(concern), 2)))
          .isEqualTo(new Refused(value(2)));
      assertThat(requests.take()).hasSizeLessThanOrEqualTo(most);
      assertThat(rival.change(MYDB, push(concern, made.concern(concern), 2)))
          .isEqualTo(new Refused(value(2)));
      assertThat(requests.take()).hasSizeLessThanOrEqualTo(most);
    }
    open(documentLayout).change(MYDB, push(concern, value(2), 3));
    for (ObjectNameBackend rival : List.of(backend, reader, open(documentLayout))) {
      requests.take();
      assertThat(rival.change(MYDB, push(concern, value(2), 3))).isEqualTo(new Refused(value(3)));
      assertThat(requests.take()).hasSizeLessThanOrEqualTo(most);
    }
  }

  @ParameterizedTest
  @MethodSource("everyConcernOfEveryLayout")
  void aFirstPushIntoADocumentOfItsOwnLooksWhetherTheRecordIsThere(
      DocumentLayout documentLayout, Concern concern) {
    boolean apart = documentLayout.apart().contains(concern);
    for (boolean known : List.of(true, false)) {
      ObjectNameBackend backend = open(documentLayout);
      NameRecord made = names(backend).create(MYDB);
      ObjectNameBackend pusher = known ? backend : open(documentLayout);
      requests.take();
      assertThat(pusher.change(MYDB, push(concern, made.concern(concern), 2)))
          .isEqualTo(new Applied(value(2)));
      assertThat(requests.take()).hasSize((apart ? 3 : 1) + (known ? 0 : 1));
      assertThat(pusher.change(MYDB, push(concern, value(2), 3))).isEqualTo(new Applied(value(3)));
      assertThat(requests.take()).hasSize(apart ? 2 : 1);
      names(backend).purge(MYDB);
    }
  }

  @Test
  void anotherConcernInTheSameDocumentIsNoConflict() {
    ObjectNameBackend backend = open();
    NameRecord made = names(backend).create(MYDB);
    open().change(MYDB, push(Concern.STATUS, made.status(), 2));
    requests.take();
    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, 1)))
        .isInstanceOf(Applied.class);
    assertThat(requests.take()).containsExactly("PUT " + MAIN, "GET " + MAIN, "PUT " + MAIN);
    assertThat(open().get(MYDB, Concern.STATUS)).contains(value(2));
  }

  @Test
  void aListingIsOneListAndAReadOfEachDocumentThatIsNotKnown() {
    ObjectNameBackend backend = open();
    for (int i = 0; i < 40; i++) {
      names(backend).create(Address.parse("db" + i));
    }
    names(backend).ledgers().publishIndex(Address.parse("db7"), Ref.of("i", 1));
    requests.take();
    ObjectNameBackend other = open();
    assertThat(names(other).list(RecordFilter.all())).hasSize(40);
    assertThat(requests.take()).hasSize(1 + 40 + 1).first().isEqualTo("LIST ns@v2/");
    assertThat(names(other).list(RecordFilter.all())).hasSize(40);
    assertThat(requests.take()).containsExactly("LIST ns@v2/");
  }

  @Test
  void whoAlwaysLosesIsToldSo() {
    names(open()).create(MYDB);
    Retry brief =
        new Retry(
            Duration.ofMillis(50),
            Duration.ofMillis(1),
            Duration.ofMillis(2),
            MonotonicTime.system());
    ObjectNameBackend unlucky =
        new ObjectNameBackend(store, DocumentLayout.B, brief, Clock.systemUTC());
    rival(1);
    assertThatThrownBy(() -> unlucky.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, 1)))
        .isInstanceOf(ContentionException.class);
    requests.before("none", () -> {});
    assertThat(open().get(MYDB, Concern.HEAD)).contains(ConcernValue.UNBORN);
  }

  /** Changes the status whenever somebody is about to write. */
  private void rival(long v) {
    requests.before(
        "PUT " + MAIN,
        () -> {
          ObjectNameBackend other = open();
          ConcernValue before = other.get(MYDB, Concern.STATUS).orElseThrow();
          other.change(MYDB, push(Concern.STATUS, before, before.watermark() + 1));
          rival(v + 1);
        });
  }

  @Test
  void anIndexDoesNotMoveOnceItsRecordIsRetracted() {
    for (boolean indexed : List.of(false, true)) {
      names(open()).purge(MYDB);
      names(open()).create(MYDB);
      ConcernValue before = ConcernValue.UNBORN;
      if (indexed) {
        open().change(MYDB, push(Concern.INDEX, before, 1));
        before = value(1);
      }
      requests.before("PUT " + INDEX, () -> names(open()).retract(MYDB));
      assertThat(open().change(MYDB, push(Concern.INDEX, before, 2)))
          .isEqualTo(Retracted.RETRACTED);
      assertThat(open().get(MYDB, Concern.INDEX)).contains(before);
    }
  }

  @Test
  void aRetractionBeginsAgainWhenItWasChallengedBetweenItsSteps() {
    names(open()).create(MYDB);
    Outcome[] outcome = new Outcome[1];
    requests.before(
        "PUT " + MAIN,
        () -> outcome[0] = open().change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, 1)));
    NameRecord retracted = names(open()).retract(MYDB);
    assertThat(outcome[0]).isEqualTo(new Applied(value(1)));
    assertThat(retracted.index()).isEqualTo(value(1));
    assertThat(open().find(MYDB)).contains(retracted);
  }

  @Test
  void aProcessThatDiesBetweenTheStepsLeavesTheOldRecord() {
    names(open()).create(MYDB);
    open().change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, 5));
    NameRecord before = open().find(MYDB).orElseThrow();
    requests.before(
        "PUT " + MAIN,
        () -> {
          throw new IllegalStateException("killed");
        });
    assertThatThrownBy(
            () ->
                names(open()).ledgers().reset(MYDB, new Ledgers.Heads(Ref.of("c1", 1), Ref.UNBORN)))
        .hasMessage("killed");
    assertThat(open().find(MYDB)).contains(before);
    assertThat(open().change(MYDB, push(Concern.INDEX, value(5), 6))).isInstanceOf(Applied.class);
    assertThat(open().get(MYDB, Concern.INDEX)).contains(value(6));
    assertThat(names(open()).retract(MYDB).index()).isEqualTo(value(6));
  }

  @Test
  void aFirstIndexThatComesAfterThePurgeIsNotMade() {
    names(open()).create(MYDB);
    requests.before("PUT " + INDEX, () -> names(open()).purge(MYDB));
    assertThat(open().change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, 1)))
        .isEqualTo(Missing.MISSING);
    assertThat(open().find(MYDB)).isEmpty();
    names(open()).create(MYDB);
    assertThat(open().get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
  }

  @Test
  void aFirstIndexThatComesAfterThePurgeIsMadeOfTheNextRecordInstead() {
    names(open()).create(MYDB);
    requests.before(
        "PUT " + INDEX,
        () -> {
          names(open()).purge(MYDB);
          names(open()).create(MYDB);
        });
    assertThat(open().change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, 1)))
        .isEqualTo(new Applied(value(1)));
    assertThat(open().get(MYDB, Concern.INDEX)).contains(value(1));
    assertThat(open().find(MYDB).orElseThrow().meta().indexRev()).isEqualTo(1);
  }

  @Test
  void aFirstIndexWhoseFateIsLostWithItsRecordIsUnknown() {
    names(open()).create(MYDB);
    requests.before(
        "PUT " + INDEX,
        () ->
            requests.before(
                "GET " + MAIN,
                () -> {
                  names(open()).purge(MYDB);
                  names(open()).create(MYDB);
                }));
    assertThatThrownBy(() -> open().change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, 1)))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(open().get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
  }

  @Test
  void whatADeadProcessWroteAfterThePurgeIsNotTakenForARecord() {
    names(open()).create(MYDB);
    ObjectNameBackend stale = open();
    stale.find(MYDB);
    requests.before(
        "PUT " + INDEX,
        () -> {
          names(open()).purge(MYDB);
          requests.before(
              "GET " + MAIN,
              () -> {
                throw new IllegalStateException("killed");
              });
        });
    assertThatThrownBy(() -> open().change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, 1)))
        .hasMessage("killed");
    for (ConcernValue expected : List.of(ConcernValue.UNBORN, value(1))) {
      for (ObjectNameBackend backend : List.of(stale, open())) {
        assertThat(backend.change(MYDB, push(Concern.INDEX, expected, 2)))
            .isEqualTo(Missing.MISSING);
      }
    }
    assertThat(stale.find(MYDB)).isEmpty();
    assertThat(names(stale).list(RecordFilter.all())).isEmpty();
  }

  @Test
  void aPurgeDoesNotHitARecordThatWasCreatedMeanwhile() {
    names(open()).create(MYDB);
    open().change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, 1));
    requests.before(
        "DELETE " + INDEX,
        () -> {
          names(open()).create(MYDB);
          open().change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, 2));
        });
    names(open()).purge(MYDB);
    assertThat(open().get(MYDB, Concern.INDEX)).contains(value(2));
  }

  @Test
  void whatIsRememberedIsNeverTakenForWhatIs() {
    ObjectNameBackend backend = open();
    names(backend).create(MYDB);
    names(open()).purge(MYDB);
    assertThat(backend.find(MYDB)).isEmpty();
    assertThat(backend.edit(MYDB, seen -> EditDecision.remove())).isEmpty();
    store.put(MAIN, Body.of(""), Condition.none());
    assertThat(backend.get(MYDB, Concern.HEAD)).isEmpty();
  }
}
