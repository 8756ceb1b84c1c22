// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is read ahead may have a file: nobody may lose it. */
@Timeout(60)
class PrefetcherTest {

  private static final int WANTED = 40;

  /** What was opened and neither taken nor discarded. */
  private final Set<Integer> open = ConcurrentHashMap.newKeySet();

  private final CountDownLatch discarded = new CountDownLatch(1);

  private Integer read(Integer wanted) {
    open.add(wanted);
    return wanted;
  }

  @Test
  void whatIsUnderWayWhenReadingEndsIsDiscardedWheneverItIsThere() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Prefetcher<Integer, Integer> ahead =
        Prefetcher.withSlowStart(
            IntStream.range(0, WANTED).boxed().toList(),
            wanted -> {
              open.add(wanted);
              begun.countDown();
              waitFor(closed);
              return wanted;
            },
            unwanted -> {
              open.remove(unwanted);
              discarded.countDown();
            });
    begun.await();

    ahead.close(); // and doesn't wait
    closed.countDown();
    discarded.await();

    assertThat(open).isEmpty();
  }

  @Test
  void nothingIsLostHoweverCloseTheEndIs() {
    for (int round = 0; round < 100; round++) {
      try (Prefetcher<Integer, Integer> ahead =
          Prefetcher.of(IntStream.range(0, WANTED).boxed().toList(), this::read, open::remove)) {
        for (int i = 0; i < round % 20; i++) {
          assertThat(ahead.next()).isEqualTo(i);
          open.remove(i);
        }
      }
      while (!open.isEmpty()) {
        Thread.onSpinWait(); // until the last of them is there
      }
    }
    assertThat(open).isEmpty();
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
