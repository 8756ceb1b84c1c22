// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries at the same time, and what they hold. */
@Timeout(60)
final class QueryLimiterTest {

  @Test
  void soManyWaitAndOthersAreToldAtOnce() throws Exception {
    QueryLimiter queryLimiter = new QueryLimiter(1);
    AtomicInteger letIn = new AtomicInteger();
    List<Thread> waiting = new ArrayList<>();
    // The first who wait may give up before the last has come on a machine that stands still.
    try (QueryLimiter.Permit unused = queryLimiter.acquire()) {
      for (int i = 0; i < 7; i++) {
        Thread thread =
            new Thread(
                () -> {
                  try (QueryLimiter.Permit permit = queryLimiter.acquire()) {
                    letIn.incrementAndGet();
                  }
                });
        thread.start();
        waiting.add(thread);
      }
      await()
          .until(() -> waiting.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING));
      assertThatThrownBy(queryLimiter::acquire)
          .asInstanceOf(InstanceOfAssertFactories.type(ProblemException.class))
          .satisfies(
              told -> {
                assertThat(told.problem().status()).isEqualTo(503);
                assertThat(told.headers()).containsEntry("Retry-After", "1");
              });
      assertThat(waiting).allMatch(Thread::isAlive);
    }
    for (Thread thread : waiting) {
      thread.join();
    }
    assertThat(letIn.get()).isEqualTo(7);
  }

  @Test
  void whateverFailsNothingIsHeld() {
    AtomicInteger held = new AtomicInteger();
    assertThatThrownBy(
            () ->
                StreamedResponses.start(
                    holding -> {
                      held.incrementAndGet();
                      AutoCloseable last = holding.add((AutoCloseable) held::decrementAndGet);
                      AutoCloseable failing = holding.add(QueryLimiterTest::fails);
                      throw new StackOverflowError("in a filter " + last + failing);
                    }))
        .isInstanceOfAny(StackOverflowError.class, IllegalStateException.class);
    assertThat(held.get()).isZero();
  }

  private static void fails() throws IOException {
    throw new OutOfMemoryError("while it is closed");
  }
}
