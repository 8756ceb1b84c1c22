// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads make something, and the caller depends on none of them. */
@Timeout(60)
class ParallelMapTest {

  private static final int MANY = 20_000;

  private final Object lock = new Object();

  private static List<Integer> numbers() {
    return IntStream.range(0, MANY).boxed().toList();
  }

  @Test
  void theOrderIsKept() {
    assertThat(ParallelMap.map(numbers().stream(), n -> n)).isEqualTo(numbers());
    assertThat(ParallelMap.map(numbers().stream().limit(3), n -> -n)).containsExactly(0, -1, -2);
    assertThat(ParallelMap.map(numbers().stream().limit(0), n -> n)).isEmpty();
  }

  @Test
  void whoHoldsALockThatMakingNeedsGetsItsAnswer() {
    synchronized (lock) {
      assertThat(
              ParallelMap.map(
                  numbers().stream(),
                  n -> {
                    synchronized (lock) {
                      return n;
                    }
                  }))
          .isEqualTo(numbers());
    }
  }

  @Test
  void whatGoesWrongGoesWrongInTheCallersThread() {
    assertThatThrownBy(
            () ->
                ParallelMap.map(
                    numbers().stream(),
                    n -> {
                      if (n == 12_345) {
                        throw new IllegalStateException(Thread.currentThread().getName());
                      }
                      return n;
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(Thread.currentThread().getName());
  }

  @Test
  void littleIsMadeTwice() {
    AtomicInteger made = new AtomicInteger();
    ParallelMap.map(numbers().stream(), n -> made.incrementAndGet());
    int helping = Runtime.getRuntime().availableProcessors() - 1;
    assertThat(made.get()).isBetween(MANY, MANY + 3 * helping * 256);
  }
}
