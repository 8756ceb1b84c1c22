// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static io.tidemark.testkit.objects.Operation.LIST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Listings survive faults: broken off anywhere, they come out as if they had not been. */
class ResumingListTest {

  private static final List<String> KEYS =
      List.of(
          "a", "a-b", "a/1", "a/2", "a/2/x", "a/3", "a0", "b/1", "b/2", "c", "d/e/f", "é", "\uFFFD",
          "😀", "😀/1");

  private final MemoryBackend memory = new MemoryBackend();
  private final FaultyBackend faulty = new FaultyBackend(memory);
  private final CountingBackend counting = new CountingBackend(faulty);
  private final FakeTime time = new FakeTime();
  private final ObjectStore store = new ObjectStore(counting, time.retry());

  @BeforeEach
  void writeKeys() {
    KEYS.forEach(key -> memory.put(key, Body.of(key), Condition.none(), "setup"));
  }

  static Stream<Listing> listings() {
    return Stream.of(
        Listing.all(""),
        Listing.all("a"),
        Listing.all("").after("a/2"),
        Listing.children(""),
        Listing.children("a"),
        Listing.children("a/"),
        Listing.children("").after("a/1"));
  }

  private static List<String> names(ObjectStore store, Listing listing) {
    try (Stream<Listing.Entry> entries = store.list(listing)) {
      return entries.map(Listing.Entry::name).toList();
    }
  }

  private List<String> unbroken(Listing listing) {
    return memory.list(listing).map(Listing.Entry::name).toList();
  }

  @ParameterizedTest
  @MethodSource("listings")
  void aBreakAtAnyPositionIsNotSeen(Listing listing) {
    List<String> expected = unbroken(listing);
    assertThat(expected).isNotEmpty();
    for (int position = 0; position <= expected.size(); position++) {
      faulty.next(LIST, BackendFault.breakOff(position));
      counting.reset();
      assertThat(names(store, listing)).isEqualTo(expected);
      assertThat(counting.requests().of(LIST)).isEqualTo(2);
      assertThat(faulty.pendingFaults()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("listings")
  void aBreakAfterEachEntryIsNotSeen(Listing listing) {
    List<String> expected = unbroken(listing);
    // The last request finds nothing left and breaks off only after that.
    for (int i = 0; i < expected.size(); i++) {
      faulty.next(LIST, BackendFault.breakOff(1));
    }
    assertThat(names(store, listing)).isEqualTo(expected);
    assertThat(counting.requests().of(LIST)).isEqualTo(expected.size() + 1L);
  }

  @Test
  void aListingThatGetsNowhereEndsWithTheFault() {
    faulty.always(LIST, BackendFault.breakOff(0));
    assertThatThrownBy(() -> names(store, Listing.all("")))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(time.elapsed().toSeconds()).isEqualTo(15);
  }

  @Test
  void whatIsTakenBeforeTheFaultIsGood() {
    faulty.always(LIST, BackendFault.breakOff(0));
    faulty.next(LIST, BackendFault.breakOff(3));
    try (Stream<ObjectInfo> listed = store.list("")) {
      assertThat(listed.limit(3).map(ObjectInfo::key)).isEqualTo(KEYS.subList(0, 3));
    }
  }

  @Test
  void everyStreamOfTheBackendIsClosed() {
    AtomicInteger open = new AtomicInteger();
    ObjectBackend tracking =
        new ForwardingBackend(faulty) {
          @Override
          public Stream<Listing.Entry> list(Listing listing) {
            Stream<Listing.Entry> entries = super.list(listing).onClose(open::decrementAndGet);
            open.incrementAndGet();
            return entries;
          }
        };
    faulty.next(LIST, BackendFault.breakOff(2)).next(LIST, BackendFault.unavailable());
    try (Stream<ObjectInfo> listed = new ObjectStore(tracking, time.retry()).list("")) {
      assertThat(listed.limit(5).toList()).hasSize(5);
      assertThat(open).hasValue(1);
    }
    assertThat(open).hasValue(0);
  }
}
