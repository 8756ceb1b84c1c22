// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.objects.internal.threads.SharedExecutors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Parallel mapping of many elements, on all processors. It works a batch at a time, so the elements
 * needn't be in memory as a whole.
 *
 * <p>The mapping may be the user's code: a constructor may wait for a lock that the caller holds.
 * So the caller never waits for the helping threads. Parts that they haven't finished when nothing
 * else is left, the caller maps itself, and their later results are discarded. An exception is
 * always thrown in the caller's own thread.
 */
final class ParallelMap {

  private static final int BATCH = 8_192;

  /** Batches with fewer elements aren't worth the time that it takes to divide them. */
  private static final int FEW = 512;

  /** Maximum number of elements that each helping thread may map a second time. */
  private static final int PART = 256;

  private ParallelMap() {}

  /** Returns the mapped elements, in the same order. */
  static <A, B> List<B> map(Stream<A> all, Function<A, B> made) {
    List<B> result = new ArrayList<>();
    List<A> batch = new ArrayList<>();
    for (Iterator<A> next = all.iterator(); next.hasNext(); ) {
      batch.add(next.next());
      if (batch.size() == BATCH) {
        result.addAll(new Batch<>(batch, made).made());
        batch = new ArrayList<>(); // helping threads may still read the batch before
      }
    }
    result.addAll(new Batch<>(batch, made).made());
    return Collections.unmodifiableList(result);
  }

  /** Batch of elements that as many threads map as there are processors. */
  private static final class Batch<A, B> {

    private final List<A> all;
    private final Function<A, B> made;
    private final int parts;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReferenceArray<List<B>> done;

    Batch(List<A> all, Function<A, B> made) {
      this.all = all;
      this.made = made;
      this.parts = (all.size() + PART - 1) / PART;
      this.done = new AtomicReferenceArray<>(parts);
    }

    List<B> made() {
      if (all.size() < FEW) {
        return make(0, all.size());
      }
      int others = Math.min(parts, Runtime.getRuntime().availableProcessors()) - 1;
      for (int i = 0; i < others; i++) {
        SharedExecutors.computing().execute(this::runParts);
      }
      runUnclaimedParts();
      List<B> result = new ArrayList<>(all.size());
      for (int part = 0; part < parts; part++) {
        List<B> there = done.get(part);
        result.addAll(there == null ? make(part) : there);
      }
      return result;
    }

    private void runParts() {
      try {
        runUnclaimedParts();
      } catch (RuntimeException e) {
        return; // the caller finds the same when it comes to that part
      }
    }

    private void runUnclaimedParts() {
      for (int part = next.getAndIncrement(); part < parts; part = next.getAndIncrement()) {
        done.set(part, make(part));
      }
    }

    private List<B> make(int part) {
      return make(part * PART, Math.min((part + 1) * PART, all.size()));
    }

    private List<B> make(int from, int to) {
      List<B> result = new ArrayList<>(to - from);
      for (int i = from; i < to; i++) {
        result.add(made.apply(all.get(i)));
      }
      return result;
    }
  }
}
