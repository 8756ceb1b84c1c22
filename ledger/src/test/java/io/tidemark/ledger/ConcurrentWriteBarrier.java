// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Carries out the writes of a commit's own files only when all of them are there, so that they take
 * one round trip or fail. The time limit only turns a hang into a failure.
 */
final class ConcurrentWriteBarrier extends ForwardingBackend {

  private static final long LIMIT_SECONDS = 120;

  private volatile CyclicBarrier barrier = new CyclicBarrier(1);

  ConcurrentWriteBarrier(ObjectBackend wrapped) {
    super(wrapped);
  }

  /** From now on so many writes go together. */
  void expect(int writes) {
    barrier = new CyclicBarrier(writes);
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    if (key.startsWith("commits/")) {
      await();
    }
    return super.put(key, body, condition, attempt);
  }

  private void await() {
    try {
      barrier.await(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("fewer writes at the same time than expected", e);
    }
  }
}
