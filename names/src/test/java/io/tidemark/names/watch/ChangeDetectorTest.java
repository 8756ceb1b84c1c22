// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.names.objects.RecordingBackend;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which requests a lookout sends, and that it misses nothing. */
class ChangeDetectorTest {

  private static final int SURVEY_EVERY = 10;
  private static final String MARKER = "ns-watch/changes.json";
  private static final Address MYDB = Address.parse("mydb");

  private final RecordingBackend requests = new RecordingBackend();
  private final Retry once =
      new Retry(Duration.ZERO, Duration.ZERO, Duration.ZERO, MonotonicTime.system());
  private final ObjectStore store = new ObjectStore(requests, once);
  private final NameService watched = open(NameOptions.standard().withoutNotifications());
  private final List<String> told = new ArrayList<>();
  private final ChangeDetector changeDetector =
      new ChangeDetector(
          watched, SURVEY_EVERY, (address, before, now) -> told.add(address.toString()));

  private NameService open(NameOptions options) {
    return new NameService(
        new ObjectNameBackend(store, DocumentLayout.B, Retry.standard(), Clock.systemUTC()),
        options);
  }

  /** Closes a service that leaves word, so that it has left it. */
  private void announced(Address... addresses) {
    try (NameService writer = open(NameOptions.standard())) {
      for (Address address : addresses) {
        writer
            .ledgers()
            .publishCommit(
                address, Ref.of("c", watched.find(address).orElseThrow().commit().t() + 1));
      }
    }
  }

  private List<Address> ledgers(int count) {
    List<Address> addresses =
        IntStream.range(0, count).mapToObj(i -> Address.parse("db" + i)).toList();
    addresses.forEach(watched::create);
    return addresses;
  }

  private List<String> taken() {
    List<String> taken = List.copyOf(told);
    told.clear();
    return taken;
  }

  @Test
  void anIdleStoreCostsOneRequestATickHoweverManyRecordsItHas() {
    ledgers(2100); // more than two pages of a survey
    announced(Address.parse("db0"));
    changeDetector.addScope(WatchFilter.all());
    taken();
    requests.take();
    for (int tick = 0; tick < 100; tick++) {
      changeDetector.poll();
    }
    List<String> sent = requests.take();
    assertThat(sent).hasSize(100);
    assertThat(sent).filteredOn(r -> r.startsWith("LIST")).hasSize(10);
    assertThat(sent).filteredOn(r -> r.equals("GET " + MARKER)).hasSize(90);
    assertThat(taken()).isEmpty();
  }

  @Test
  void beginningCostsTheMarkerTwoListsAndARecordEach() {
    ledgers(20);
    requests.take();
    changeDetector.addScope(WatchFilter.all());
    assertThat(requests.take())
        .hasSize(1 + 2) // this service remembers every record it has made
        .startsWith("GET " + MARKER, "LIST ns@v2/", "LIST ns@v2/");
    assertThat(taken()).hasSize(20);
  }

  @Test
  void beginningWithWhatIsLookedAtAlreadyCostsTheMarker() {
    ledgers(20);
    announced(Address.parse("db0"));
    changeDetector.addScope(WatchFilter.all().startingWith("db"));
    requests.take();
    for (WatchFilter known :
        List.of(
            WatchFilter.all().startingWith("db"),
            WatchFilter.all().startingWith("db1").ofKind(RecordKind.LEDGER),
            WatchFilter.all().only(Address.parse("db3"), Address.parse("db99")))) {
      changeDetector.addScope(known);
      assertThat(requests.take()).containsExactly("GET " + MARKER);
    }
    for (WatchFilter wider :
        List.of(WatchFilter.all().startingWith("d"), WatchFilter.all().only(MYDB))) {
      changeDetector.addScope(wider);
      assertThat(requests.take()).anyMatch(request -> request.startsWith("LIST"));
      changeDetector.removeScope(wider);
    }
  }

  @ParameterizedTest
  @EnumSource(DocumentLayout.class)
  void aDocumentThatIsRemovedByHandIsFoundByASurvey(DocumentLayout documentLayout) {
    NameService apart =
        new NameService(
            new ObjectNameBackend(store, documentLayout, Retry.standard(), Clock.systemUTC()),
            NameOptions.standard().withoutNotifications());
    apart.create(MYDB);
    apart.ledgers().publishIndex(MYDB, Ref.of("i1", 1));
    changeDetector.addScope(WatchFilter.all());
    survey();
    taken();
    if (documentLayout != DocumentLayout.A) {
      store.delete("ns@v2/mydb/main.index.json");
      survey();
      assertThat(taken()).containsExactly("mydb:main");
      assertThat(present(MYDB).index())
          .as("unborn again")
          .isEqualTo(Watermarks.ConcernWatermark.UNBORN);
      survey();
      assertThat(taken()).isEmpty();
    }
    store.delete(
        documentLayout == DocumentLayout.C ? "ns@v2/mydb/main.head.json" : "ns@v2/mydb/main.json");
    survey();
    assertThat(taken()).containsExactly("mydb:main");
    assertThat(changeDetector.lastObservation(MYDB)).isEqualTo(Observation.Absent.ABSENT);
  }

  /** As many looks as it takes to get to the survey, which has one page. */
  private void survey() {
    for (int tick = 0; tick < SURVEY_EVERY; tick++) {
      changeDetector.poll();
    }
  }

  private Watermarks present(Address address) {
    return ((Observation.Present) changeDetector.lastObservation(address)).marks();
  }

  /** Otherwise a watch that begins now would be told of it as of something new. */
  @Test
  void whatOthersHaveLeftWordOfIsKnownWhenOneMoreBegins() {
    ledgers(3);
    announced(Address.parse("db0"));
    changeDetector.addScope(WatchFilter.all());
    taken();
    announced(Address.parse("db1"));
    changeDetector.addScope(WatchFilter.all());
    assertThat(taken()).containsExactly("db1:main");
    changeDetector.removeScope(WatchFilter.all());
    announced(Address.parse("db2"));
    changeDetector.poll();
    assertThat(taken()).containsExactly("db2:main");
  }

  @Test
  void aMoveCostsTheMarkerAndTheRecordThatMoved() {
    ledgers(20);
    announced(Address.parse("db0"));
    changeDetector.addScope(WatchFilter.all());
    announced(Address.parse("db7"));
    taken();
    requests.take();
    changeDetector.poll();
    assertThat(requests.take())
        .containsExactlyInAnyOrder(
            "GET " + MARKER, "GET ns@v2/db7/main.json", "GET ns@v2/db7/main.index.json");
    assertThat(taken()).containsExactly("db7:main");
  }

  @Test
  void aMarkerThatTellsTooLittleMeansToSurveyAll() {
    List<Address> many = ledgers(300); // more than a marker lists
    announced(many.get(0));
    changeDetector.addScope(WatchFilter.all());
    taken();
    announced(many.toArray(new Address[0]));
    changeDetector.poll();
    assertThat(taken()).hasSize(300);
  }

  @Test
  void aMarkerThatWasLostOrDamagedMeansToSurveyAll() {
    ledgers(3);
    announced(Address.parse("db0"));
    changeDetector.addScope(WatchFilter.all());
    taken();
    watched.ledgers().publishCommit(Address.parse("db2"), Ref.of("c", 9));
    store.put(MARKER, Body.of("{".getBytes(StandardCharsets.UTF_8)), Condition.none());
    changeDetector.poll();
    assertThat(taken()).containsExactly("db2:main");
    store.delete(MARKER);
    announced(Address.parse("db1"));
    changeDetector.poll();
    assertThat(taken()).containsExactly("db1:main");
  }

  @Test
  void aLookThatFailedIsTakenAgain() {
    ledgers(3);
    announced(Address.parse("db0"));
    changeDetector.addScope(WatchFilter.all());
    taken();
    announced(Address.parse("db1"));
    requests.before(
        "GET ns@v2/db1/main.json",
        () -> {
          throw new StoreUnavailableException("no answer", new IllegalStateException());
        });
    assertThatThrownBy(changeDetector::poll).isInstanceOf(StoreUnavailableException.class);
    assertThat(taken()).isEmpty();
    changeDetector.poll();
    assertThat(taken()).containsExactly("db1:main");
  }

  @Test
  void aDamagedRecordIsToldAndDoesNotHideOthers() {
    ledgers(3);
    changeDetector.addScope(WatchFilter.all());
    taken();
    byte[] damage = "{\"@id\": \"db1".getBytes(StandardCharsets.UTF_8);
    store.put("ns@v2/db1/main.json", Body.of(damage), Condition.none());
    watched.ledgers().publishCommit(Address.parse("db2"), Ref.of("c", 9));
    for (int tick = 0; tick < SURVEY_EVERY; tick++) {
      changeDetector.poll();
    }
    assertThat(taken()).containsExactlyInAnyOrder("db1:main", "db2:main");
    assertThat(changeDetector.lastObservation(Address.parse("db1")))
        .isInstanceOf(Observation.Unreadable.class);
    ChangeDetector another =
        new ChangeDetector(watched, SURVEY_EVERY, (a, b, n) -> told.add(a.toString()));
    another.addScope(WatchFilter.all());
    assertThat(another.lastObservation(Address.parse("db1")))
        .isInstanceOf(Observation.Unreadable.class);
    assertThat(another.lastObservation(Address.parse("db2")))
        .isInstanceOf(Observation.Present.class);
  }

  @Test
  void oneAddressIsWatchedWithoutReadingTheOthers() {
    ledgers(50);
    watched.create(MYDB);
    NameService other = open(NameOptions.standard().withoutNotifications());
    ChangeDetector narrow =
        new ChangeDetector(other, SURVEY_EVERY, (a, b, n) -> told.add(a.toString()));
    requests.take();
    narrow.addScope(WatchFilter.all().only(MYDB));
    assertThat(requests.take())
        .containsExactlyInAnyOrder(
            "GET " + MARKER,
            "LIST ns@v2/mydb/main",
            "GET ns@v2/mydb/main.json",
            "GET ns@v2/mydb/main.index.json");
    assertThat(taken()).containsExactly("mydb:main");
  }

  private static void unavailable() {
    throw new StoreUnavailableException("no answer", new IllegalStateException());
  }

  private void tickThroughASurvey() {
    for (int tick = 0; tick < SURVEY_EVERY; tick++) {
      changeDetector.poll();
    }
  }

  @Test
  void whatAWatchThatCannotBeginHasSurveyedIsStillToldToOthers() {
    ledgers(3);
    changeDetector.addScope(WatchFilter.all().startingWith("db"));
    taken();
    NameService silent = open(NameOptions.standard().withoutNotifications());
    silent.ledgers().publishCommit(Address.parse("db1"), Ref.of("c", 9));
    requests.before("GET ns@v2/db1/main.json", ChangeDetectorTest::unavailable);
    assertThatThrownBy(() -> changeDetector.addScope(WatchFilter.all()))
        .isInstanceOf(StoreUnavailableException.class);
    tickThroughASurvey();
    assertThat(taken()).containsExactly("db1:main");
  }

  @Test
  void theSurveyComesToItsEndWhileWatchesComeAndGo() {
    ledgers(2100);
    changeDetector.addScope(WatchFilter.all());
    taken();
    WatchFilter one = WatchFilter.all().only(Address.parse("db0"));
    watched.ledgers().publishCommit(Address.parse("db999"), Ref.of("c", 9)); // on the last page
    for (int page = 0; page < 3; page++) {
      changeDetector.addScope(one);
      tickThroughASurvey();
      changeDetector.removeScope(one);
    }
    assertThat(taken()).containsExactly("db999:main");
  }

  @Test
  void whatNobodyWatchesAnyMoreIsForgotten() {
    ledgers(3);
    WatchFilter one = WatchFilter.all().only(Address.parse("db0"));
    changeDetector.addScope(one);
    changeDetector.addScope(WatchFilter.all());
    changeDetector.removeScope(WatchFilter.all());
    assertThat(changeDetector.trackedAddresses(WatchFilter.all()))
        .containsExactly(Address.parse("db0"));
  }

  @Test
  void aMarkerThatWasSetBackMeansToSurveyAll() {
    ledgers(3);
    announced(Address.parse("db0"));
    byte[] backup = store.get(MARKER).orElseThrow().bytes();
    announced(Address.parse("db0"));
    announced(Address.parse("db1"));
    changeDetector.addScope(WatchFilter.all());
    taken();
    store.put(MARKER, Body.of(backup), Condition.none());
    announced(Address.parse("db2"));
    changeDetector.poll();
    assertThat(taken()).containsExactly("db2:main");
  }

  @Test
  void aRecordThatMayNotBeReadDoesNotHideOthersAndIsToldWhenItMay() {
    ledgers(3);
    announced(Address.parse("db0"));
    changeDetector.addScope(WatchFilter.all());
    taken();
    announced(Address.parse("db1"), Address.parse("db2"));
    requests.before(
        "GET ns@v2/db1/main.json",
        () -> {
          throw new StoreAccessException("not permitted", new IllegalStateException());
        });
    changeDetector.poll();
    assertThat(taken()).containsExactlyInAnyOrder("db1:main", "db2:main");
    assertThat(changeDetector.lastObservation(Address.parse("db1")))
        .isEqualTo(new Observation.Unreadable("not permitted"));
    tickThroughASurvey(); // it is permitted again, and nobody has left word of that
    assertThat(taken()).containsExactly("db1:main");
    assertThat(changeDetector.lastObservation(Address.parse("db1")))
        .isInstanceOf(Observation.Present.class);
  }

  @Test
  void aStateIsKnownWithTheIdOfTheRecordThatHadIt() {
    ledgers(2);
    Address next = Address.parse("db1");
    watched.ledgers().publishCommit(next, Ref.of("c", 7));
    Optional<String> first = watched.find(next).orElseThrow().meta().recordId();
    ChangeDetector listing =
        new ChangeDetector(
            watched,
            SURVEY_EVERY,
            (address, before, now) -> {
              if (!address.equals(next)) { // the listing has read the next one by now
                watched.purge(next);
                watched.create(next);
              }
            });
    listing.addScope(WatchFilter.all());
    Watermarks seen = ((Observation.Present) listing.lastObservation(next)).marks();
    assertThat(seen.head().watermark()).as("as it was listed").isEqualTo(7);
    assertThat(seen.recordId()).isEqualTo(first);
    assertThat(watched.find(next).orElseThrow().meta().recordId()).isNotEqualTo(first);
  }
}
