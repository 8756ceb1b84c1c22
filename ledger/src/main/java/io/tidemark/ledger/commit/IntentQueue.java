// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.Fact;
import io.tidemark.ledger.schema.TypeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is to be asserted with the next commit: for each identity the last thing that was said of
 * it.
 *
 * <p>Up to a limit it is kept in memory; beyond that, it is sorted and set aside in a file, and the
 * files are merged when the queue is read. So a queue of any length needs a bounded amount of
 * memory.
 */
public final class IntentQueue implements AutoCloseable {

  private static final long IN_MEMORY = 48 << 20;

  /** What a fact takes beside its characters, roughly: strings, records and a place in a list. */
  private static final long OVERHEAD = 200L;

  private final long limit;
  private final SortedMap<TypeId, List<Fact>> latest = new TreeMap<>();
  private final List<SortedRun> runs = new ArrayList<>();
  private final SortedSet<TypeId> types = new TreeSet<>();
  private long characters;
  private long bytes;
  private long size;

  public IntentQueue() {
    this(IN_MEMORY);
  }

  IntentQueue(long limit) {
    this.limit = limit;
  }

  public void add(Fact fact) {
    types.add(fact.type());
    latest.computeIfAbsent(fact.type(), t -> new ArrayList<>()).add(fact);
    size++;
    long weight = fact.fieldsJson().length() + OVERHEAD;
    bytes += weight;
    characters += weight;
    if (characters > limit) {
      setAside();
    }
  }

  /** How many facts were added, those that later ones replace included. */
  public long size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** About how much memory all of it would need at once. */
  long bytes() {
    return bytes;
  }

  public SortedSet<TypeId> types() {
    return types;
  }

  /**
   * The last fact of each identity of a type, in order. When a part is on the disk already, the
   * rest follows it: whoever reads a long queue needs the memory.
   */
  public Iterator<Fact> sorted(TypeId type) {
    if (!runs.isEmpty() && !latest.isEmpty()) {
      setAside();
    }
    List<Iterator<Fact>> sources = new ArrayList<>();
    try {
      for (SortedRun run : runs) {
        sources.add(run.read(type));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("what was set aside on the disk can't be read", e);
    }
    sources.add(inMemory(type).iterator());
    return sources.size() == 1 ? sources.get(0) : new Merge(sources);
  }

  /** Sorting keeps the order of equal ones, so that what was said last of an identity is last. */
  private List<Fact> inMemory(TypeId type) {
    List<Fact> facts = latest.getOrDefault(type, new ArrayList<>());
    facts.sort(Comparator.comparing(Fact::identity));
    List<Fact> last = new ArrayList<>(facts.size());
    for (int i = 0; i < facts.size(); i++) {
      boolean replaced =
          i + 1 < facts.size() && facts.get(i).identity().equals(facts.get(i + 1).identity());
      if (!replaced) {
        last.add(facts.get(i));
      }
    }
    return last;
  }

  private void setAside() {
    try {
      SortedRun run = new SortedRun();
      for (TypeId type : latest.keySet()) {
        run.add(type, inMemory(type));
      }
      runs.add(run);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "there is no room on the disk to set aside what is to be committed; make room in the"
              + " directory for temporary files, or commit in smaller parts",
          e);
    }
    latest.clear();
    characters = 0;
  }

  public void clear() {
    latest.clear();
    types.clear();
    runs.forEach(SortedRun::close);
    runs.clear();
    characters = 0;
    bytes = 0;
    size = 0;
  }

  @Override
  public void close() {
    clear();
  }

  /** Several sorted sources as one; of facts of the same identity the one of the last source. */
  private static final class Merge implements Iterator<Fact> {

    private record Front(Fact fact, int source) {}

    private final List<Iterator<Fact>> sources;
    private final PriorityQueue<Front> fronts =
        new PriorityQueue<>(
            Comparator.comparing((Front front) -> front.fact().identity())
                .thenComparing(Comparator.comparingInt(Front::source).reversed()));

    Merge(List<Iterator<Fact>> sources) {
      this.sources = sources;
      for (int i = 0; i < sources.size(); i++) {
        advance(i);
      }
    }

    private void advance(int source) {
      if (sources.get(source).hasNext()) {
        fronts.add(new Front(sources.get(source).next(), source));
      }
    }

    @Override
    public boolean hasNext() {
      return !fronts.isEmpty();
    }

    @Override
    public Fact next() {
      Front winner = fronts.remove();
      advance(winner.source());
      while (!fronts.isEmpty()
          && fronts.element().fact().identity().equals(winner.fact().identity())) {
        advance(fronts.remove().source());
      }
      return winner.fact();
    }
  }
}
