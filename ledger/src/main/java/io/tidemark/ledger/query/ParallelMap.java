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
 * Makes something of each of many things, by all processors, a batch at a time: so what they are
 * made of needn't be in memory as a whole.
 *
 * <p>What is made is somebody's, and so may be the code that makes it: a constructor may wait for a
 * lock that the caller holds. So the caller never waits for those who help it. What they haven't
 * done when nothing else is left, it does itself, and what they do later counts for nothing. An
 * exception is always one of the caller's own thread.
 */
final class ParallelMap {

  private static final int BATCH = 8_192;

  /** Fewer aren't worth the time that it takes to divide them. */
  private static final int FEW = 512;

  /** What may be made twice, at most, by each who helps. */
  private static final int PART = 256;

  private ParallelMap() {}

  /** What is made of each, in the same order. */
  static <A, B> List<B> map(Stream<A> all, Function<A, B> made) {
    List<B> result = new ArrayList<>();
    List<A> batch = new ArrayList<>();
    for (Iterator<A> next = all.iterator(); next.hasNext(); ) {
      batch.add(next.next());
      if (batch.size() == BATCH) {
        result.addAll(new Batch<>(batch, made).made());
        batch = new ArrayList<>(); // who helps may still look at the one before
      }
    }
    result.addAll(new Batch<>(batch, made).made());
    return Collections.unmodifiableList(result);
  }

  /** Things of which as many threads make something as there are processors. */
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
