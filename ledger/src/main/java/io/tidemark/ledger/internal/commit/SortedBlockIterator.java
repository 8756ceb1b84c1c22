// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Iterator over the facts of some blocks in the order of their identities; of facts of the same
 * identity the last.
 *
 * <p>It sorts numbers that locate the facts: with an object for each, of which there may be
 * millions, garbage collection would take longer than the sorting.
 */
final class SortedBlockIterator implements Iterator<PackedFact> {

  /** Number of facts up to which they are sorted by insertion. */
  private static final int FEW = 12;

  private final byte[][] blocks;
  private final int parts;

  /** The number of the block and the place in it, of each fact. */
  private final long[] facts;

  private final int size;
  private int next;

  SortedBlockIterator(List<FactBlock> some, int parts) {
    this.blocks = new byte[some.size()][];
    this.parts = parts;
    this.facts = new long[some.stream().mapToInt(FactBlock::size).sum()];
    int count = 0;
    for (int number = 0; number < blocks.length; number++) {
      FactBlock block = some.get(number);
      blocks[number] = block.bytes();
      for (int i = 0; i < block.size(); i++) {
        facts[count++] = (long) number << Integer.SIZE | block.start(i);
      }
    }
    sort(0, count, new long[(count + 1) / 2]);
    this.size = withoutReplaced(count);
  }

  /** Sorts by merging, which is stable and is quick where there is order already. */
  private void sort(int from, int to, long[] spare) {
    if (to - from <= FEW) {
      insert(from, to);
      return;
    }
    int middle = (from + to) >>> 1;
    sort(from, middle, spare);
    sort(middle, to, spare);
    if (compare(facts[middle - 1], facts[middle]) > 0) {
      merge(from, middle, to, spare);
    }
  }

  private void insert(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long fact = facts[i];
      int at = i;
      while (at > from && compare(facts[at - 1], fact) > 0) {
        facts[at] = facts[at - 1];
        at--;
      }
      facts[at] = fact;
    }
  }

  private void merge(int from, int middle, int to, long[] spare) {
    int count = middle - from;
    System.arraycopy(facts, from, spare, 0, count);
    int left = 0;
    int right = middle;
    int at = from;
    while (left < count && right < to) {
      facts[at++] = compare(spare[left], facts[right]) <= 0 ? spare[left++] : facts[right++];
    }
    System.arraycopy(spare, left, facts, at, count - left);
  }

  private int withoutReplaced(int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i + 1 == count || compare(facts[i], facts[i + 1]) != 0) {
        facts[kept++] = facts[i];
      }
    }
    return kept;
  }

  private int compare(long one, long other) {
    return PackedFact.compare(bytes(one), (int) one, bytes(other), (int) other, parts);
  }

  private byte[] bytes(long fact) {
    return blocks[(int) (fact >>> Integer.SIZE)];
  }

  @Override
  public boolean hasNext() {
    return next < size;
  }

  @Override
  public PackedFact next() {
    if (next >= size) {
      throw new NoSuchElementException();
    }
    long fact = facts[next++];
    return new PackedFact(bytes(fact), (int) fact);
  }
}
