// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Requests, round trips and bytes are counted as they are said to be. */
class CountingBackendTest {
  private final FaultyBackend faulty = new FaultyBackend(new MemoryBackend());
  private final CountingBackend counting = new CountingBackend(faulty);
  private final ObjectStore store = new ObjectStore(counting, new FakeTime().retry());

  private void put(String key, String text) {
    store.put(key, Body.of(text), Condition.none());
  }

  @Test
  void requestsAreCountedByOperation() {
    put("a", "12345");
    put("b", "123");
    store.get("a");
    store.get("absent");
    store.head("a");
    store.list("").close();
    assertThat(store.list("")).hasSize(2);
    store.delete("b");
    RequestCounts requestCounts = counting.requests();
    assertThat(requestCounts.byOperation())
        .isEqualTo(
            Map.of(
                Operation.PUT, 2L,
                Operation.GET, 2L,
                Operation.HEAD, 1L,
                Operation.LIST, 1L, // the one that was closed unread asked for nothing
                Operation.DELETE, 1L));
    assertThat(requestCounts.total()).isEqualTo(7);
    assertThat(requestCounts)
        .hasToString(
            "2 GET, 1 HEAD, 2 PUT, 1 DELETE, 1 LIST; 7 round trips; 8 bytes written, 5 read");
  }

  @Test
  void requestsThatOverlapAreOneRoundTrip() {
    RequestLatch first = new RequestLatch();
    RequestLatch second = new RequestLatch();
    faulty.next(Operation.PUT, "a", BackendFault.hold(first));
    faulty.next(Operation.PUT, "b", BackendFault.hold(second));
    CompletableFuture<Void> a = CompletableFuture.runAsync(() -> put("a", "1"));
    first.awaitArrival();
    CompletableFuture<Void> b = CompletableFuture.runAsync(() -> put("b", "1"));
    second.awaitArrival();
    first.open();
    a.join();
    put("c", "1"); // b is still under way
    second.open();
    b.join();
    assertThat(counting.requests().roundTrips()).isEqualTo(1);
    put("d", "1");
    assertThat(counting.requests().roundTrips()).isEqualTo(2);
    assertThat(counting.requests().of(Operation.PUT)).isEqualTo(4);
  }

  @Test
  void aFailedRequestCountsAndEnds() {
    faulty.next(Operation.PUT, BackendFault.unavailable());
    put("a", "1");
    assertThat(counting.requests().of(Operation.PUT)).isEqualTo(2);
    assertThat(counting.requests().roundTrips()).isEqualTo(2);
  }

  @Test
  void countingStartsAnew() {
    put("a", "1");
    assertThat(counting.reset().total()).isEqualTo(1);
    assertThat(counting.requests())
        .hasToString("no requests; 0 round trips; 0 bytes written, 0 read");
    assertThat(counting.during(() -> store.get("a")).of(Operation.GET)).isEqualTo(1);
  }
}
