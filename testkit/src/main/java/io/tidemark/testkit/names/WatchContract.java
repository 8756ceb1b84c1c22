// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.C2;
import static io.tidemark.testkit.names.Samples.C5;
import static io.tidemark.testkit.names.Samples.DEV;
import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.I2;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.SEARCH;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.json;
import static io.tidemark.testkit.names.Samples.state;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.names.watch.FeedSettings;
import io.tidemark.names.watch.LocalCopy;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.names.watch.Watch;
import io.tidemark.names.watch.WatchCheckpoint;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.names.watch.Watermarks;
import io.tidemark.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Watching. The names of the tests end with the promise of {@link Watch} that they are about. The
 * writers are other instances than the one that is watched, unless they say otherwise.
 */
interface WatchContract {

  /** Longer than anything here takes, and not to be waited for. */
  Duration LONG = Duration.ofMinutes(2);

  NamesFixture fixture();

  private NameFeed feed(NameService names) {
    return fixture().closing(new NameFeed(names, new FeedSettings(Duration.ofMillis(20), 5)));
  }

  private Watch watch(WatchFilter filter) {
    return feed(fixture().another()).watch(filter);
  }

  private static NameEvent next(Watch watch) throws InterruptedException {
    return watch.next(LONG).orElseThrow(() -> new AssertionError("nothing was told"));
  }

  /** An event as a line: what, which record, and what moved from where to where. */
  private static String line(NameEvent event) {
    StringBuilder line = new StringBuilder(event.type() + " " + event.address());
    for (Concern concern : Concern.values()) {
      if (event.moved().contains(concern)) {
        String before = event.before().map(m -> m.of(concern).watermark() + ">").orElse("");
        line.append(" " + concern.text() + " " + before);
        line.append(event.now().orElseThrow().of(concern).watermark());
      }
    }
    return line.toString();
  }

  @Test
  default void aWatchBeginsWithWhatIsThere() throws InterruptedException {
    fixture().ledger(MYDB, C5, 5);
    NameService writer = fixture().names();
    writer.graphSources().publish(SEARCH, SourceType.BM25, json("{'k1':1.2}"), List.of("mydb"));
    writer.create(Address.parse("a"));
    Watch watch = watch(WatchFilter.all());
    assertThat(line(next(watch))).isEqualTo("APPEARED a:main head 0 index 0 status 1 config 0");
    assertThat(line(next(watch))).isEqualTo("APPEARED mydb:main head 5 index 0 status 1 config 0");
    assertThat(line(next(watch))).isEqualTo("APPEARED search:main index 0 status 1 config 1");
  }

  @Test
  default void everyChangeOfAnotherInstanceIsTold_names5_12() throws InterruptedException {
    Watch watch = watch(WatchFilter.all());
    NameService writer = fixture().notifying();
    writer.create(MYDB);
    assertThat(line(next(watch))).isEqualTo("APPEARED mydb:main head 0 index 0 status 1 config 0");
    writer.ledgers().publishCommit(MYDB, Ref.of(C2, 2));
    assertThat(line(next(watch))).isEqualTo("MOVED mydb:main head 0>2");
    writer.ledgers().publishIndex(MYDB, Ref.of(I1, 2));
    assertThat(line(next(watch))).isEqualTo("MOVED mydb:main index 0>2");
    writer.push(MYDB, Concern.STATUS, Optional.of(READY), state(2, "indexing"));
    assertThat(line(next(watch))).isEqualTo("MOVED mydb:main status 1>2");
    writer.push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), value(1, "{'a':1}"));
    assertThat(line(next(watch))).isEqualTo("MOVED mydb:main config 0>1");
    writer.branches().create(MYDB, "dev", Optional.empty());
    assertThat(line(next(watch))).isEqualTo("APPEARED mydb:dev head 2 index 0 status 1 config 0");
    writer.branches().drop(DEV);
    assertThat(line(next(watch))).isEqualTo("PURGED mydb:dev");
    writer.retract(MYDB);
    assertThat(line(next(watch))).isEqualTo("RETRACTED mydb:main status 2>3");
    writer.restore(MYDB);
    assertThat(line(next(watch))).isEqualTo("RESTORED mydb:main status 3>4");
    writer.purge(MYDB);
    assertThat(line(next(watch))).isEqualTo("PURGED mydb:main");
  }

  @Test
  default void whatTheWatchedInstanceChangesItselfIsToldWithoutAMarker()
      throws InterruptedException {
    NameService names = fixture().another(); // leaves no word
    NameFeed rarely =
        fixture().closing(new NameFeed(names, new FeedSettings(Duration.ofHours(1), 2)));
    Watch watch = rarely.watch(WatchFilter.all());
    names.create(MYDB);
    assertThat(next(watch).type()).isEqualTo(NameEvent.Type.APPEARED);
    names.ledgers().publishCommit(MYDB, Ref.of(C1, 1));
    assertThat(line(next(watch))).isEqualTo("MOVED mydb:main head 0>1");
  }

  @Test
  default void theSameTASecondTimeIsTold_names5_12() throws InterruptedException {
    fixture().ledger(MYDB, C5, 5);
    fixture().names().ledgers().publishIndex(MYDB, Ref.of(I1, 5));
    NameService writer = fixture().notifying();
    Watch watch = feed(fixture().another()).watchFromNow(WatchFilter.all());
    writer.ledgers().publishIndexAllowEqual(MYDB, Ref.of(I1, 5));
    assertThat(line(next(watch))).isEqualTo("MOVED mydb:main index 5>5");
    writer.ledgers().reset(MYDB, new Ledgers.Heads(Ref.of(C1, 1), Ref.UNBORN));
    String told = line(next(watch));
    if (!told.equals("MOVED mydb:main head 5>1 index 5>0")) {
      // Concerns that lie apart aren't read at the same moment, so it may take two events.
      assertThat(List.of(told, line(next(watch))))
          .containsExactlyInAnyOrder("MOVED mydb:main head 5>1", "MOVED mydb:main index 5>0");
    }
  }

  @Test
  default void aRecordThatTookThePlaceOfAnotherIsTold_names5_12() throws InterruptedException {
    fixture().ledger(MYDB, C5, 5);
    NameService names = fixture().names();
    WatchCheckpoint before = feed(names).watchFromNow(WatchFilter.all()).cursor();
    names.purge(MYDB);
    fixture().clock().jump(Duration.ofSeconds(2));
    names.create(MYDB);
    Watch again = feed(fixture().another()).watch(WatchFilter.all(), before);
    assertThat(line(next(again))).isEqualTo("PURGED mydb:main");
    assertThat(line(next(again))).isEqualTo("APPEARED mydb:main head 0 index 0 status 1 config 0");
  }

  @Test
  default void aRecordThatIsTheSameAgainAtTheSameTimeIsTold_names5_12()
      throws InterruptedException {
    fixture().ledger(MYDB, C5, 5);
    NameService names = fixture().names();
    Watch watch = feed(fixture().another()).watchFromNow(WatchFilter.all());
    WatchCheckpoint before = WatchCheckpoint.parse(watch.cursor().toJson());
    watch.close();
    names.purge(MYDB);
    fixture().ledger(MYDB, C5, 5);
    Watch again = feed(fixture().another()).watch(WatchFilter.all(), before);
    assertThat(line(next(again))).isEqualTo("PURGED mydb:main");
    assertThat(line(next(again))).isEqualTo("APPEARED mydb:main head 5 index 0 status 1 config 0");
  }

  @Test
  default void whatChangesNothingIsNotTold_unique_names5_12() throws InterruptedException {
    fixture().ledger(MYDB, C5, 5);
    NameService writer = fixture().notifying();
    Watch watch = feed(fixture().another()).watchFromNow(WatchFilter.all());
    writer.ledgers().publishCommit(MYDB, Ref.of(C2, 2));
    writer.push(MYDB, Concern.HEAD, Optional.of(head(C1, 1)), head(C2, 6));
    writer.restore(MYDB);
    writer.create(DEV);
    assertThat(next(watch).address()).isEqualTo(DEV);
  }

  @Test
  default void onlyWhatTheFilterAsksForIsTold_filtered() throws InterruptedException {
    NameFeed feed = feed(fixture().another());
    Watch byAddress = feed.watch(WatchFilter.all().only(DEV));
    Watch byPrefix = feed.watch(WatchFilter.all().startingWith("se"));
    Watch byKind = feed.watch(WatchFilter.all().ofKind(RecordKind.GRAPH_SOURCE));
    Watch byConcern = feed.watch(WatchFilter.all().of(Concern.INDEX));
    NameService writer = fixture().notifying();
    fixture().ledger(MYDB, C5, 5);
    writer.ledgers().publishIndex(MYDB, Ref.of(I2, 5));
    writer.graphSources().publish(SEARCH, SourceType.BM25, json("{}"), List.of());
    writer.branches().create(MYDB, "dev", Optional.empty());
    writer.ledgers().publishCommit(DEV, Ref.of(C5, 7));
    assertThat(settled(byAddress, DEV, 7)).allMatch(event -> event.address().equals(DEV));
    assertThat(next(byPrefix).address()).isEqualTo(SEARCH);
    assertThat(next(byKind).address()).isEqualTo(SEARCH);
    writer.retract(SEARCH);
    assertThat(next(byPrefix).type()).isEqualTo(NameEvent.Type.RETRACTED);
    assertThat(next(byKind).type()).isEqualTo(NameEvent.Type.RETRACTED);
    writer.ledgers().publishCommit(DEV, Ref.of(C5, 8));
    writer.ledgers().publishIndex(DEV, Ref.of(I1, 8));
    List<NameEvent> indices = new ArrayList<>();
    do { // it may have appeared with that index, if the feed was faster than this
      indices.add(next(byConcern));
    } while (!line(indices.get(indices.size() - 1)).matches(".* index (0>)?8"));
    assertThat(indices)
        .allMatch(event -> Set.of(Concern.INDEX).containsAll(event.moved()))
        .allMatch(event -> event.type() != NameEvent.Type.MOVED || !event.moved().isEmpty());
  }

  /** All that is told until a record's head is there. */
  private static List<NameEvent> settled(Watch watch, Address address, long t)
      throws InterruptedException {
    List<NameEvent> told = new ArrayList<>();
    while (true) {
      NameEvent event = next(watch);
      told.add(event);
      boolean there =
          event.now().map(watermarks -> watermarks.head().watermark() == t).orElse(false);
      if (event.address().equals(address) && there) {
        return told;
      }
    }
  }

  @Test
  default void aSlowListenerIsToldTheLastStateAndWhatItSkipped_noSilentGap()
      throws InterruptedException {
    fixture().ledger(MYDB, C1, 1);
    NameService names = fixture().another();
    NameFeed feed = feed(names);
    Watch slow = feed.watchFromNow(WatchFilter.all());
    Watch quick = feed.watchFromNow(WatchFilter.all());
    for (int t = 2; t <= 20; t++) {
      names.ledgers().publishCommit(MYDB, Ref.of(C2, t));
    }
    settled(quick, MYDB, 20);
    assertThat(line(next(slow))).isEqualTo("MOVED mydb:main head 1>20");
    assertThat(slow.next(Duration.ofMillis(1))).isEmpty();
  }

  @Test
  default void whatNobodyLeftWordOfIsFoundByASurvey_noSilentGap() throws InterruptedException {
    fixture().ledger(MYDB, C1, 1);
    Watch watch = feed(fixture().another()).watchFromNow(WatchFilter.all());
    NameService silent = fixture().names();
    silent.ledgers().publishCommit(MYDB, Ref.of(C2, 2));
    assertThat(line(next(watch))).isEqualTo("MOVED mydb:main head 1>2");
    silent.ledgers().publishIndex(MYDB, Ref.of(I1, 2));
    assertThat(line(next(watch))).isEqualTo("MOVED mydb:main index 0>2");
    silent.create(DEV);
    assertThat(next(watch).type()).isEqualTo(NameEvent.Type.APPEARED);
    silent.purge(MYDB);
    assertThat(line(next(watch))).isEqualTo("PURGED mydb:main");
  }

  @Test
  default void aWatchGoesOnWhereAnotherEnded_resumable() throws InterruptedException {
    fixture().ledger(MYDB, C1, 1);
    fixture().names().create(DEV);
    fixture().names().create(SEARCH);
    WatchCheckpoint cursor;
    try (Watch first = watch(WatchFilter.all())) {
      for (int i = 0; i < 3; i++) {
        next(first);
      }
      cursor = first.cursor();
    }
    NameService writer = fixture().names();
    writer.ledgers().publishCommit(MYDB, Ref.of(C2, 2));
    writer.purge(DEV);
    writer.create(Address.parse("new"));
    Watch second =
        feed(fixture().another()).watch(WatchFilter.all(), WatchCheckpoint.parse(cursor.toJson()));
    assertThat(line(next(second))).isEqualTo("PURGED mydb:dev");
    assertThat(line(next(second))).isEqualTo("MOVED mydb:main head 1>2");
    assertThat(line(next(second))).isEqualTo("APPEARED new:main head 0 index 0 status 1 config 0");
    assertThat(second.next(Duration.ofMillis(1))).isEmpty();
  }

  @Test
  default void aCursorHoldsOnlyWhatWasHandedOut_resumable() throws InterruptedException {
    fixture().names().create(DEV);
    fixture().names().create(MYDB);
    Watch watch = watch(WatchFilter.all());
    assertThat(watch.cursor()).isEqualTo(WatchCheckpoint.none());
    next(watch);
    assertThat(watch.cursor().marks().keySet()).containsExactly(DEV);
    next(watch);
    assertThat(watch.cursor().marks().keySet()).containsExactly(DEV, MYDB);
  }

  @Test
  default void underLoadEveryPromiseHolds_ordered_unique_noSilentGap_neverFromTheFuture()
      throws InterruptedException {
    Seed seed = Seed.of("watching under load");
    RandomGenerator random = seed.random();
    List<Address> addresses = List.of(MYDB, DEV, SEARCH);
    addresses.forEach(address -> fixture().names().create(address));
    NameService watched = fixture().another();
    Watch watch = feed(watched).watch(WatchFilter.all());
    int last = fixture().scale().races();
    List<NameService> writers = List.of(fixture().notifying(), fixture().notifying(), watched);
    Thread writing =
        new Thread(
            () -> {
              for (int t = 1; t <= last; t++) {
                for (Address address : addresses) {
                  NameService writer = writers.get(random.nextInt(writers.size()));
                  writer.ledgers().publishCommit(address, Ref.of(C5, t));
                }
              }
            });
    writing.start();
    Map<Address, Watermarks> told = new HashMap<>();
    while (!addresses.stream().allMatch(a -> headOf(told.get(a)) == last)) {
      NameEvent event = next(watch);
      Watermarks now = event.now().orElseThrow();
      assertThat(event.before())
          .as(seed.toString())
          .isEqualTo(Optional.ofNullable(told.put(event.address(), now)));
      assertThat(event.before()).as(seed.toString()).isNotEqualTo(event.now());
      assertThat(fixture().record(event.address()).head().watermark())
          .as(seed.toString())
          .isGreaterThanOrEqualTo(headOf(now));
    }
    writing.join();
    assertThat(watch.next(Duration.ofMillis(1))).as(seed.toString()).isEmpty();
  }

  private static long headOf(@Nullable Watermarks watermarks) {
    return watermarks == null ? -1 : watermarks.head().watermark();
  }

  @Test
  default void aLocalCopyFetchesOnlyWhatMoved() throws InterruptedException {
    fixture().ledger(MYDB, C1, 1);
    NameService names = fixture().another();
    Watch watch = feed(names).watch(WatchFilter.all());
    LocalCopy copy = new LocalCopy(names, Set.of(Concern.HEAD, Concern.CONFIG));
    assertThat(copy.apply(next(watch))).containsExactlyInAnyOrder(Concern.HEAD, Concern.CONFIG);
    assertThat(copy.get(MYDB, Concern.HEAD)).contains(head(C1, 1));
    names.ledgers().publishCommit(MYDB, Ref.of(C2, 2));
    NameEvent moved = next(watch);
    assertThat(copy.apply(moved)).containsExactly(Concern.HEAD);
    assertThat(copy.apply(moved)).isEmpty();
    assertThat(copy.get(MYDB, Concern.HEAD)).contains(head(C2, 2));
    names.push(MYDB, Concern.STATUS, Optional.of(READY), state(2, "indexing"));
    assertThat(copy.apply(next(watch))).isEmpty();
    names.purge(MYDB);
    copy.apply(next(watch));
    assertThat(copy.get(MYDB, Concern.HEAD)).isEmpty();
  }

  @Test
  default void closingAFeedEndsItsWatches() throws InterruptedException {
    NameFeed feed = feed(fixture().another());
    Watch watch = feed.watch(WatchFilter.all());
    feed.close();
    assertThat(watch.next(LONG)).isEmpty();
    assertThat(watch.isClosed()).isTrue();
  }
}
