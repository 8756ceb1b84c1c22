// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.EditDecision;
import io.tidemark.names.Ledgers;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.names.objects.RecordingBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoreGoneException;
import io.tidemark.objects.TidemarkException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a watch tells in cases that take luck, or bad luck, to meet. */
class WatchTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final Duration LONG = Duration.ofMinutes(2);

  /** It stands still, so that everything happens within a second. */
  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);

  private final NameService names =
      new NameService(
          new MemoryNameBackend(CLOCK),
          NameOptions.standard().withoutNotifications().withClock(CLOCK));

  private Observation seen() {
    return names
        .find(MYDB)
        .<Observation>map(record -> new Observation.Present(Watermarks.of(record)))
        .orElse(Observation.Absent.ABSENT);
  }

  private static List<NameEvent.Type> types(Watch watch) throws InterruptedException {
    List<NameEvent.Type> types = new ArrayList<>();
    Optional<NameEvent> event = watch.next(Duration.ZERO);
    while (event.isPresent()) {
      types.add(event.get().type());
      event = watch.next(Duration.ZERO);
    }
    return types;
  }

  private void publishASource() {
    names.graphSources().publish(MYDB, SourceType.BM25, Payload.parse("{}"), List.of());
  }

  @Test
  void aRecordThatTookThePlaceOfOneOfAnotherKindIsTold_filtered_noSilentGap()
      throws InterruptedException {
    try (NameFeed feed = new NameFeed(names)) {
      Watch ledgers = new Watch(feed, WatchFilter.all().ofKind(RecordKind.LEDGER));
      Watch sources = new Watch(feed, WatchFilter.all().ofKind(RecordKind.GRAPH_SOURCE));
      publishASource();
      Observation source = seen();
      names.purge(MYDB);
      names.create(MYDB);
      sources.moved(MYDB, Observation.Absent.ABSENT, source);
      assertThat(types(sources)).containsExactly(NameEvent.Type.APPEARED);
      sources.moved(MYDB, source, seen());
      ledgers.moved(MYDB, source, seen());
      assertThat(types(sources)).containsExactly(NameEvent.Type.PURGED);
      assertThat(types(ledgers)).containsExactly(NameEvent.Type.APPEARED);
    }
  }

  @Test
  void aRecordThatIsTheSameAgainIsToldAsPurgedAndAppeared_noSilentGap() throws Exception {
    for (NameService each : List.of(names, stored(new RecordingBackend()))) {
      each.create(MYDB);
      try (NameFeed feed = new NameFeed(each, new FeedSettings(Duration.ofHours(1), 2));
          Watch watch = feed.watchFromNow(WatchFilter.all())) {
        WatchCheckpoint stand = watch.cursor();
        for (int i = 0; i < 20; i++) {
          // One step for the feed, which looks when both are over.
          each.backend().edit(MYDB, seen -> EditDecision.remove());
          each.create(MYDB);
          assertThat(watch.next(LONG).orElseThrow().type()).isEqualTo(NameEvent.Type.PURGED);
          assertThat(watch.next(LONG).orElseThrow().type()).isEqualTo(NameEvent.Type.APPEARED);
        }
        WatchCheckpoint kept = WatchCheckpoint.parse(stand.toJson());
        try (Watch again = feed.watch(WatchFilter.all(), kept)) {
          assertThat(types(again)).containsExactly(NameEvent.Type.PURGED, NameEvent.Type.APPEARED);
        }
      }
    }
  }

  @Test
  void aHeadWithTheSameHashCodeAtTheSameTIsTold_noSilentGap() throws InterruptedException {
    try (NameFeed feed = new NameFeed(names)) {
      Watch watch = new Watch(feed, WatchFilter.all());
      names.ledgers().compareAndSetCommit(MYDB, Optional.empty(), Ref.of("Aa", 1));
      Observation first = seen();
      names.ledgers().reset(MYDB, new Ledgers.Heads(Ref.of("BB", 1), Ref.UNBORN));
      watch.moved(MYDB, first, seen());
      NameEvent event = watch.next(Duration.ZERO).orElseThrow();
      assertThat(event.moved()).contains(Concern.HEAD);
      assertThat(event.before().orElseThrow().head().id()).contains("Aa");
      assertThat(event.now().orElseThrow().head().id()).contains("BB");
    }
  }

  @Test
  void aRecordThatTookThePlaceOfAnotherWithinASecondIsTold_names5_12() throws InterruptedException {
    try (NameFeed feed = new NameFeed(names)) {
      Watch watch = new Watch(feed, WatchFilter.all());
      names.create(MYDB);
      names.retract(MYDB);
      names.restore(MYDB);
      Observation first = seen();
      names.purge(MYDB);
      names.create(MYDB);
      watch.moved(MYDB, first, seen());
      assertThat(types(watch)).containsExactly(NameEvent.Type.PURGED, NameEvent.Type.APPEARED);
    }
  }

  @Test
  void theCursorOfAClosedFeedHoldsOnlyWhatWasHandedOut_noSilentGap_resumable()
      throws InterruptedException {
    names.create(MYDB);
    NameFeed feed = new NameFeed(names);
    Watch watch = feed.watch(WatchFilter.all());
    feed.close();
    assertThat(watch.next(LONG)).isEmpty();
    assertThat(watch.cursor()).isEqualTo(WatchCheckpoint.none());
    watch.close();
    assertThatThrownBy(watch::cursor)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("before");
  }

  @Test
  void aWatchThatCannotBeginEndsNoOtherLikeIt_noSilentGap() throws InterruptedException {
    RecordingBackend requests = new RecordingBackend();
    NameService stored = stored(requests);
    FeedSettings rarely = new FeedSettings(Duration.ofHours(1), 2);
    try (NameFeed feed = new NameFeed(stored, rarely);
        Watch watch = feed.watchFromNow(WatchFilter.all())) {
      requests.before(
          "GET ns-watch/changes.json",
          () -> {
            throw new StoreFailureException("no answer");
          });
      assertThatThrownBy(() -> feed.watchFromNow(WatchFilter.all()))
          .isInstanceOf(StoreFailureException.class);
      stored.create(MYDB);
      assertThat(watch.next(LONG).orElseThrow().address()).isEqualTo(MYDB);
    }
  }

  @Test
  void whatHappenedBeforeIsNotToldToOneMoreThatBeginsNow_filtered() throws InterruptedException {
    NameService stored = stored(new RecordingBackend());
    FeedSettings rarely = new FeedSettings(Duration.ofHours(1), 2);
    try (NameFeed feed = new NameFeed(stored, rarely);
        Watch first = feed.watchFromNow(WatchFilter.all())) {
      for (int i = 0; i < 200; i++) {
        Address before = Address.parse("before" + i);
        Address after = Address.parse("after" + i);
        stored.create(before);
        try (Watch second = feed.watchFromNow(WatchFilter.all())) {
          stored.create(after);
          assertThat(first.next(LONG).orElseThrow().address()).isEqualTo(before);
          assertThat(first.next(LONG).orElseThrow().address()).isEqualTo(after);
          assertThat(second.next(LONG).orElseThrow().address()).isEqualTo(after);
        }
      }
    }
  }

  private static NameService stored(RecordingBackend requests) {
    return new NameService(
        new ObjectNameBackend(
            new ObjectStore(requests, Retry.standard()), DocumentLayout.B, Retry.standard(), CLOCK),
        NameOptions.standard().withoutNotifications());
  }

  @Test
  void afterAnErrorTheFeedGoesOn_noSilentGap() throws InterruptedException {
    RecordingBackend requests = new RecordingBackend();
    NameService stored = stored(requests);
    FeedSettings often = new FeedSettings(Duration.ofMillis(5), 2);
    try (NameFeed feed = new NameFeed(stored, often);
        Watch watch = feed.watchFromNow(WatchFilter.all())) {
      CountDownLatch failed = new CountDownLatch(1);
      requests.before(
          "GET ns-watch/changes.json",
          () -> {
            failed.countDown();
            throw new StackOverflowError();
          });
      assertThat(failed.await(2, TimeUnit.MINUTES)).isTrue();
      stored.create(MYDB);
      assertThat(eventAfterAFailure(watch).address()).isEqualTo(MYDB);
    }
  }

  @Test
  void aStoreThatIsGoneHasNotPurgedItsRecords_noSilentGap(@TempDir Path parent) throws Exception {
    Path root = parent.resolve("store");
    Path away = parent.resolve("away");
    FeedSettings often = new FeedSettings(Duration.ofMillis(5), 2);
    try (NameService stored = NameService.open(root.toString());
        NameFeed feed = new NameFeed(stored, often)) {
      stored.create(MYDB);
      try (Watch watch = feed.watchFromNow(WatchFilter.all())) {
        Files.move(root, away);
        assertThatThrownBy(() -> watch.next(LONG)).isInstanceOf(StoreGoneException.class);
        assertThatThrownBy(() -> stored.find(MYDB)).isInstanceOf(StoreGoneException.class);
        assertThatThrownBy(() -> stored.list(RecordFilter.all()).toList())
            .isInstanceOf(StoreGoneException.class);
        assertThatThrownBy(() -> feed.watch(WatchFilter.all()))
            .isInstanceOf(StoreGoneException.class);
        Files.move(away, root);
        stored.retract(MYDB);
        assertThat(watch.next(LONG).orElseThrow().type()).isEqualTo(NameEvent.Type.RETRACTED);
      }
    }
  }

  /** The failure is told first, unless it is over already. */
  private static NameEvent eventAfterAFailure(Watch watch) throws InterruptedException {
    try {
      return watch.next(LONG).orElseThrow();
    } catch (TidemarkException e) {
      assertThat(e).hasRootCauseInstanceOf(StackOverflowError.class);
      return watch.next(LONG).orElseThrow();
    }
  }
}
