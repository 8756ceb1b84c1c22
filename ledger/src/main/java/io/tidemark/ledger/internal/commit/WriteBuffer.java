// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.TypeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Buffer of the assertions for the next commit: for each identity the last one.
 *
 * <p>Up to a limit they are kept in memory; beyond that, they are sorted and spilled to a file, and
 * the files are merged when the buffer is read. So a buffer of any length needs a bounded amount of
 * memory: an eighth of the heap, and no more than 1 GB.
 */
public final class WriteBuffer implements AutoCloseable {

  private static final long LEAST_IN_MEMORY = 16 << 20;
  private static final long MOST_IN_MEMORY = 1 << 30;
  private static final int SHARE = 8;

  private final long limit;
  private final FactBatch latest = new FactBatch();
  private final List<SortedRun> runs = new ArrayList<>();
  private final SortedSet<TypeId> types = new TreeSet<>();
  private long setAside;
  private long size;

  public WriteBuffer() {
    this(
        Math.max(
            LEAST_IN_MEMORY, Math.min(MOST_IN_MEMORY, Runtime.getRuntime().maxMemory() / SHARE)));
  }

  WriteBuffer(long limit) {
    this.limit = limit;
  }

  /**
   * Adds a fact.
   *
   * @throws io.tidemark.ledger.schema.InvalidValueException when its key can't be stored as it is
   */
  public void add(Fact fact) {
    add(batch -> batch.add(fact));
  }

  /** Adds facts that a callback appends to a batch. */
  public void add(Consumer<FactBatch> more) {
    long before = latest.size();
    more.accept(latest);
    types.addAll(latest.types());
    size += latest.size() - before;
    spillIfOverLimit();
  }

  /** Appends facts; the batch must not be used any more. */
  public void addAll(FactBatch facts) {
    latest.addAll(facts);
    types.addAll(facts.types());
    size += facts.size();
    spillIfOverLimit();
  }

  private void spillIfOverLimit() {
    if (latest.weight() > limit) {
      spill();
    }
  }

  /** Returns the number of facts that were added, including those that later ones replace. */
  public long size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns the approximate memory that all facts would need at once. */
  long bytes() {
    return setAside + latest.weight();
  }

  public SortedSet<TypeId> types() {
    return types;
  }

  /** Returns the last fact of each identity of a type, in order. */
  public Iterator<Fact> sorted(TypeId type) {
    Iterator<PackedFact> packed = packed(type);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return packed.hasNext();
      }

      @Override
      public Fact next() {
        return packed.next().fact(type);
      }
    };
  }

  /**
   * Returns the last facts in packed form. When a part is on the disk already, the rest follows it:
   * the reader of a long buffer needs the memory.
   */
  Iterator<PackedFact> packed(TypeId type) {
    if (!runs.isEmpty() && latest.size() > 0) {
      spill();
    }
    int parts = PackedFact.parts(type);
    List<Iterator<PackedFact>> sources = new ArrayList<>();
    try {
      for (SortedRun run : runs) {
        sources.add(run.read(type));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("what was set aside on the disk can't be read", e);
    }
    sources.addAll(MergingFactIterator.sources(latest.of(type), parts));
    return sources.size() == 1 ? sources.get(0) : new MergingFactIterator(sources, parts);
  }

  private void spill() {
    try {
      SortedRun run = new SortedRun();
      runs.add(run);
      for (TypeId type : latest.types()) {
        int parts = PackedFact.parts(type);
        run.add(
            type,
            new MergingFactIterator(MergingFactIterator.sources(latest.of(type), parts), parts));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "there is no room on the disk to set aside what is to be committed; make room in the"
              + " directory for temporary files, or commit in smaller parts",
          e);
    }
    setAside += latest.weight();
    latest.clear();
  }

  public void clear() {
    latest.clear();
    types.clear();
    runs.forEach(SortedRun::close);
    runs.clear();
    setAside = 0;
    size = 0;
  }

  @Override
  public void close() {
    clear();
  }
}
