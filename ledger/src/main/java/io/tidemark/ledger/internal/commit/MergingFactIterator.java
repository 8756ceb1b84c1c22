// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.objects.internal.threads.OrderedParallel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Iterator that merges several sources of facts of one type, each in the order of identities. Of
 * facts of the same identity it returns the last one of the last source.
 */
final class MergingFactIterator implements Iterator<PackedFact> {

  /** Number of facts below which they are sorted in one go. */
  private static final int PART = 1 << 16;

  private final int parts;
  private final List<Iterator<PackedFact>> sources;
  private final PackedFact[] fronts;

  /** The sources that have facts left, as a heap: the source of the next fact is first. */
  private final int[] heap;

  private int open;

  MergingFactIterator(List<Iterator<PackedFact>> sources, int parts) {
    this.parts = parts;
    this.sources = sources;
    this.fronts = new PackedFact[sources.size()];
    this.heap = new int[sources.size()];
    for (int i = 0; i < heap.length; i++) {
      if (sources.get(i).hasNext()) {
        fronts[i] = sources.get(i).next();
        heap[open++] = i;
      }
    }
    for (int i = open / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  /** Returns facts in memory, given in the order in which they were asserted, as sources. */
  static List<Iterator<PackedFact>> sources(List<FactBlock> blocks, int parts) {
    int size = blocks.stream().mapToInt(FactBlock::size).sum();
    int piece =
        Math.max(
            PART,
            (size + OrderedParallel.recommendedTasks() - 1) / OrderedParallel.recommendedTasks());
    List<Iterator<PackedFact>> sorted = new ArrayList<>();
    try (OrderedParallel<Iterator<PackedFact>> work =
        new OrderedParallel<>(sorted::add, size <= PART ? 0 : OrderedParallel.recommendedTasks())) {
      List<FactBlock> some = new ArrayList<>();
      int taken = 0;
      for (FactBlock block : blocks) {
        some.add(block);
        taken += block.size();
        if (taken >= piece) {
          List<FactBlock> whole = some;
          work.add(() -> new SortedBlockIterator(whole, parts));
          some = new ArrayList<>();
          taken = 0;
        }
      }
      List<FactBlock> rest = some;
      work.add(() -> new SortedBlockIterator(rest, parts));
      work.finish();
    }
    return sorted;
  }

  @Override
  public boolean hasNext() {
    return open > 0;
  }

  @Override
  public PackedFact next() {
    if (open == 0) {
      throw new NoSuchElementException();
    }
    PackedFact winner = fronts[heap[0]];
    advance();
    while (open > 0 && PackedFact.compare(fronts[heap[0]], winner, parts) == 0) {
      advance();
    }
    return winner;
  }

  private void advance() {
    Iterator<PackedFact> source = sources.get(heap[0]);
    if (source.hasNext()) {
      fronts[heap[0]] = source.next();
    } else {
      heap[0] = heap[--open];
    }
    sink(0);
  }

  private void sink(int start) {
    int at = start;
    while (true) {
      int least = at;
      for (int child = 2 * at + 1; child <= 2 * at + 2 && child < open; child++) {
        least = isBefore(heap[child], heap[least]) ? child : least;
      }
      if (least == at) {
        return;
      }
      int moved = heap[at];
      heap[at] = heap[least];
      heap[least] = moved;
      at = least;
    }
  }

  /** Orders sources by their next fact; of equal facts, that of the last source comes first. */
  private boolean isBefore(int one, int other) {
    int order = PackedFact.compare(fronts[one], fronts[other], parts);
    return order != 0 ? order < 0 : one > other;
  }
}
