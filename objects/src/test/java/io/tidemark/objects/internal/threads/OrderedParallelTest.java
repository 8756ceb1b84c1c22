// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderedParallelTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7})
  void resultsComeInTheOrderOfTheWork(int most) {
    List<Integer> results = new ArrayList<>();
    try (OrderedParallel<Integer> work = new OrderedParallel<>(results::add, most)) {
      for (int i = 0; i < 1_000; i++) {
        int number = i;
        work.add(() -> number);
      }
      work.finish();
    }

    assertThat(results).containsExactlyElementsOf(IntStream.range(0, 1_000).boxed().toList());
  }

  @Test
  void noMoreIsUnderWayThanAllowed() {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (OrderedParallel<Integer> work = new OrderedParallel<>(done -> now.decrementAndGet(), 3)) {
      for (int i = 0; i < 200; i++) {
        work.add(() -> most.accumulateAndGet(now.incrementAndGet(), Math::max));
      }
      work.finish();
    }

    assertThat(most.get()).isBetween(1, 3);
  }

  /** Every helper is kept busy until the work is done, so the giver has to do all of it. */
  @Test
  void whoeverGivesWorkDoesItIfNobodyHelps() {
    CountDownLatch done = new CountDownLatch(1);
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      SharedExecutors.computing().execute(() -> await(done));
    }
    List<String> threads = new ArrayList<>();
    try (OrderedParallel<String> work = new OrderedParallel<>(threads::add, 4)) {
      for (int i = 0; i < 20; i++) {
        work.add(() -> Thread.currentThread().getName());
      }
      work.finish();
    } finally {
      done.countDown();
    }

    assertThat(threads).hasSize(20).containsOnly(Thread.currentThread().getName());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void workCanBeGivenWithinWork() {
    List<Integer> sums = new ArrayList<>();
    try (OrderedParallel<Integer> work = new OrderedParallel<>(sums::add, 3)) {
      for (int i = 0; i < 20; i++) {
        int from = i;
        work.add(() -> sumOf(from, from + 10));
      }
      work.finish();
    }

    assertThat(sums).hasSize(20).startsWith(45, 55, 65);
  }

  private static int sumOf(int from, int to) {
    AtomicInteger sum = new AtomicInteger();
    try (OrderedParallel<Integer> work = new OrderedParallel<>(sum::addAndGet, 3)) {
      IntStream.range(from, to).forEach(i -> work.add(() -> i));
      work.finish();
    }
    return sum.get();
  }

  @Test
  void aFailureComesInItsTurn() {
    List<Integer> results = new ArrayList<>();
    try (OrderedParallel<Integer> work = new OrderedParallel<>(results::add, 2)) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10; i++) {
                  int number = i;
                  work.add(() -> 12 / (3 - number));
                }
                work.finish();
              })
          .isInstanceOf(ArithmeticException.class);
    }

    assertThat(results).containsExactly(4, 6, 12);
  }
}
