// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Threads against each other, on two instances of one store. */
interface RaceContract {

  /** How many listings are made while others write. */
  int LISTINGS = 15;

  StoreFixture fixture();

  private List<ObjectStore> twoInstances() {
    return List.of(fixture().store(), fixture().another());
  }

  @Test
  default void ofAllWhoReplaceOneVersionOneWins() throws Exception {
    fixture().write("counter", "0");
    List<ObjectStore> stores = twoInstances();
    int races = fixture().scale().races();
    List<List<Counter.Step>> won =
        Race.run(
            fixture().scale().threads(),
            thread -> new Counter(stores.get(thread % 2), "counter").increment(races));

    List<Counter.Step> steps = won.stream().flatMap(List::stream).toList();
    assertThat(steps).hasSize(races * fixture().scale().threads());
    assertThat(steps).extracting(Counter.Step::from).doesNotHaveDuplicates();
    assertThat(steps).extracting(Counter.Step::to).doesNotHaveDuplicates();
    assertThat(Counter.value(fixture().store().get("counter").orElseThrow()))
        .isEqualTo(steps.size());
  }

  @Test
  default void ofAllWhoCreateAnObjectOneWins() throws Exception {
    List<ObjectStore> stores = twoInstances();
    int races = fixture().scale().races();
    Map<String, Integer> creators = new ConcurrentHashMap<>();
    AtomicInteger won = new AtomicInteger();
    Race.rounds(
        fixture().scale().threads(),
        races,
        (thread, round) -> {
          Body body = Body.of("by " + thread);
          String key = "race/" + round;
          if (stores.get(thread % 2).put(key, body, Condition.ifAbsent()).written()) {
            won.incrementAndGet();
            creators.put(key, thread);
          }
        });
    assertThat(won).hasValue(races);
    assertThat(creators).hasSize(races);
    creators.forEach((key, thread) -> assertThat(fixture().text(key)).isEqualTo("by " + thread));
  }

  @Test
  default void ofAllWhoDeleteOneVersionOneWins() throws Exception {
    List<ObjectStore> stores = twoInstances();
    if (!fixture().store().capabilities().conditionalDelete()) {
      assertThatThrownBy(() -> stores.get(0).deleteIfMatch("key", new ETag("0")))
          .isInstanceOf(UnsupportedStoreException.class);
      return;
    }
    List<ETag> versions = new ArrayList<>();
    for (int i = 0; i < fixture().scale().races(); i++) {
      versions.add(fixture().write("race/" + i, "version " + i));
    }
    AtomicInteger deleted = new AtomicInteger();
    Race.rounds(
        fixture().scale().threads(),
        versions.size(),
        (thread, round) -> {
          ObjectStore store = stores.get(thread % 2);
          if (store.deleteIfMatch("race/" + round, versions.get(round)).deleted()) {
            deleted.incrementAndGet();
          }
        });
    assertThat(deleted).hasValue(versions.size());
    assertThat(fixture().keys("")).isEmpty();
  }

  @Test
  default void aVersionIsEitherReplacedOrDeleted() throws Exception {
    if (!fixture().store().capabilities().conditionalDelete()) {
      return; // nothing to race: deletes under a condition are refused, as tested elsewhere
    }
    List<ObjectStore> stores = twoInstances();
    int races = fixture().scale().races();
    List<ETag> versions = new ArrayList<>();
    for (int i = 0; i < races; i++) {
      versions.add(fixture().write("race/" + i, "old " + i));
    }
    Map<Integer, Integer> winners = new ConcurrentHashMap<>();
    AtomicInteger won = new AtomicInteger();
    Race.rounds(
        2,
        races,
        (thread, round) -> {
          ObjectStore store = stores.get(thread);
          String key = "race/" + round;
          ETag version = versions.get(round);
          boolean first =
              thread == 0
                  ? store.put(key, Body.of("new"), Condition.ifMatch(version)).written()
                  : store.deleteIfMatch(key, version).deleted();
          if (first) {
            won.incrementAndGet();
            winners.put(round, thread);
          }
        });
    assertThat(won).hasValue(races);
    winners.forEach(
        (round, thread) ->
            assertThat(fixture().text("race/" + round))
                .isEqualTo(thread == 0 ? "new" : "(absent)"));
  }

  @Test
  default void aReaderSeesOneWritersBytesAndTheirVersion() throws Exception {
    List<ObjectStore> stores = twoInstances();
    int threads = fixture().scale().threads();
    int writers = threads / 2;
    int races = Math.min(fixture().scale().races(), 50);
    Map<ETag, Long> written = new ConcurrentHashMap<>();
    Map<ETag, Long> read = new ConcurrentHashMap<>();
    AtomicInteger writing = new AtomicInteger(writers);
    fixture().write("large", Body.of(SelfCheckingBytes.of(0, 1000)));
    Race.run(
        threads,
        thread -> {
          ObjectStore store = stores.get(thread % 2);
          if (thread >= writers) {
            do {
              StoredObject found = store.get("large").orElseThrow();
              read.put(found.etag(), SelfCheckingBytes.idOf(found.bytes()));
            } while (writing.get() > 0);
            return thread;
          }
          try {
            for (int i = 1; i <= races; i++) {
              long id = (long) i * threads + thread;
              byte[] bytes = SelfCheckingBytes.of(id, 50_000 + (int) (id * 7919 % 400_000));
              WriteResult result = store.put("large", Body.of(bytes), Condition.none());
              written.put(((Written) result).etag(), id);
            }
          } finally {
            writing.decrementAndGet();
          }
          return thread;
        });
    read.values().remove(0L);
    assertThat(read).isNotEmpty();
    assertThat(written).containsAllEntriesOf(read);
  }

  @Test
  default void aListingHoldsWhateverStaysWhileOthersComeAndGo() throws Exception {
    int threads = fixture().scale().threads();
    List<String> staying =
        // Most in one directory: more than are read at once of one that changes meanwhile.
        IntStream.range(0, fixture().scale().listedKeys() / 2)
            .mapToObj(i -> String.format("d%d/%04d-stays", i % 16 < 3 ? i % 16 : 3, i))
            .toList();
    staying.forEach(key -> fixture().write(key, "stays"));
    List<String> ordered = staying.stream().sorted(ObjectKeys.ORDER).toList();
    List<ObjectStore> stores = twoInstances();
    AtomicBoolean listed = new AtomicBoolean();
    Race.run(
        threads,
        thread -> {
          if (thread > 0) {
            for (int i = 0; !listed.get(); i++) {
              churn(stores.get(thread % 2), staying, thread, i);
            }
            return thread;
          }
          try {
            for (int i = 0; i < LISTINGS; i++) {
              assertThat(fixture().keys(""))
                  .doesNotHaveDuplicates()
                  .isSortedAccordingTo(ObjectKeys.ORDER)
                  .filteredOn(key -> key.endsWith("-stays"))
                  .isEqualTo(ordered);
              assertThat(fixture().names(Listing.children("")))
                  .contains("d0/", "d1/", "d2/", "d3/");
            }
          } finally {
            listed.set(true);
          }
          return thread;
        });
    assertThat(fixture().keys("")).isEqualTo(ordered);
  }

  private static void churn(ObjectStore store, List<String> staying, int thread, int round) {
    String replaced = staying.get((round * 7 + thread) % staying.size());
    store.put(replaced, Body.of("stays " + round), Condition.none());
    String key = String.format("d%d/%04d-comes-and-goes-%d", round % 5, round, thread);
    assertThat(store.put(key, Body.of("x"), Condition.ifAbsent()).written()).isTrue();
    store.delete(key);
    assertThat(store.head(key)).isEqualTo(Optional.empty());
  }

  @Test
  default void anInterruptBreaksNothing() throws Exception {
    fixture().write("counter", "0");
    List<ObjectStore> stores = twoInstances();
    int races = fixture().scale().races();
    Map<Integer, Thread> running = new ConcurrentHashMap<>();
    AtomicInteger won = new AtomicInteger();
    AtomicInteger inDoubt = new AtomicInteger();
    int threads = fixture().scale().threads();
    Race.run(
        threads,
        thread -> {
          running.put(thread, Thread.currentThread());
          Counter counter = new Counter(stores.get(thread % 2), "counter");
          for (int i = 0; i < races; i++) {
            if (i % 3 == 0) {
              running.getOrDefault((thread + 1) % threads, Thread.currentThread()).interrupt();
            }
            try {
              won.addAndGet(counter.tryIncrement().isPresent() ? 1 : 0);
            } catch (OutcomeUnknownException e) {
              inDoubt.incrementAndGet();
            } catch (TidemarkException e) {
              // Interrupted, and certainly not applied.
            } finally {
              Thread.interrupted();
            }
          }
          running.remove(thread);
          return thread;
        });
    assertThat(Counter.value(fixture().store().get("counter").orElseThrow()))
        .isBetween((long) won.get(), (long) won.get() + inDoubt.get());
    for (ObjectStore store : stores) {
      assertThat(new Counter(store, "counter").increment(1)).hasSize(1);
      store.delete("counter-" + stores.indexOf(store)); // a delete takes its locks as well
    }
  }
}
