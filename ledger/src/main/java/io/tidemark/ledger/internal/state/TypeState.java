// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.objects.internal.threads.OrderedParallel;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of a type as of some commit: for each identity the commit that last wrote it and a digest
 * of what that wrote. Enough to tell what a set of assertions would change, without a request and
 * without keeping any payload: some 60 bytes an identity.
 *
 * <p>Open hash tables over arrays, because a type may have millions of rows and an object for each
 * would cost several times as much. There are several, each for a part of the identities, which
 * grow one by one: growing never takes much more memory than what is there already.
 *
 * <p>Not safe for use by more than one thread at a time.
 */
public final class TypeState {

  private static final int BITS = 6;
  static final int TABLES = 1 << BITS;

  /** Fewer than this are entered by one thread. */
  private static final long MANY = 50_000;

  private final @Nullable Table[] tables = new @Nullable Table[TABLES];
  private long upTo;

  /** Returns the commit as of which this state is. */
  public long upTo() {
    return upTo;
  }

  public void upTo(long commitId) {
    upTo = commitId;
  }

  public long size() {
    long size = 0;
    for (Table table : tables) {
      size += table == null ? 0 : table.size;
    }
    return size;
  }

  public void clear() {
    Arrays.fill(tables, null);
    upTo = 0;
  }

  /** Returns the commit that last wrote the identity; 0 when none did. */
  public long commitOf(Digest identity) {
    Table table = tables[number(identity.high())];
    return table == null ? 0 : table.commitOf(identity.high(), identity.low());
  }

  public boolean holds(Digest identity, Digest payload) {
    Table table = tables[number(identity.high())];
    return table != null && table.holds(identity, payload);
  }

  /** Enters what a commit wrote, unless a newer one is known to have written the same identity. */
  public void put(Digest identity, Digest payload, long commitId) {
    table(number(identity.high()))
        .put(identity.high(), identity.low(), payload.high(), payload.low(), commitId);
  }

  /** Enters all that a commit wrote. */
  public void putAll(DigestBuffer digestBuffer, long commitId) {
    int pieces =
        digestBuffer.count() < MANY ? 1 : Math.min(TABLES, OrderedParallel.recommendedTasks());
    try (OrderedParallel<Integer> work =
        new OrderedParallel<>(done -> {}, pieces == 1 ? 0 : pieces)) {
      for (int piece = 0; piece < pieces; piece++) {
        int first = TABLES * piece / pieces;
        int end = TABLES * (piece + 1) / pieces;
        work.add(
            () -> {
              putSome(digestBuffer, commitId, first, end);
              return end;
            });
      }
      work.finish();
    }
  }

  /** Enters the digests of some tables, which are this thread's alone meanwhile. */
  private void putSome(DigestBuffer digestBuffer, long commitId, int first, int end) {
    for (int number = first; number < end; number++) {
      List<long[]> all = digestBuffer.of(number);
      if (all.isEmpty()) {
        continue;
      }
      Table table = table(number);
      if (digestBuffer.count() >= MANY) {
        table.expect(all.stream().mapToInt(some -> some.length / DigestBuffer.WIDTH).sum());
      }
      for (long[] some : all) {
        for (int at = 0; at < some.length; at += DigestBuffer.WIDTH) {
          table.put(some[at], some[at + 1], some[at + 2], some[at + 3], commitId);
        }
      }
    }
  }

  /** Returns the number of the table that an identity belongs to. */
  static int number(long high) {
    return (int) (high >>> (Long.SIZE - BITS));
  }

  private Table table(int number) {
    Table table = tables[number];
    if (table == null) {
      table = new Table();
      tables[number] = table;
    }
    return table;
  }

  /** The identities of one part. */
  private static final class Table {

    private static final int WIDTH = 5;
    private static final int FIRST_SLOTS = 4;
    private static final double FULL = 0.8;

    private long[] slots = new long[FIRST_SLOTS * WIDTH];
    private int capacity = FIRST_SLOTS;
    private int size;

    long commitOf(long high, long low) {
      return slots[slot(high, low) + 4];
    }

    boolean holds(Digest identity, Digest payload) {
      int at = slot(identity.high(), identity.low());
      return slots[at + 4] != 0
          && slots[at + 2] == payload.high()
          && slots[at + 3] == payload.low();
    }

    void put(long high, long low, long payloadHigh, long payloadLow, long commitId) {
      int at = slot(high, low);
      if (slots[at + 4] == 0) {
        if (size + 1 > capacity * FULL) {
          grow(capacity + (capacity >> 1));
          at = slot(high, low);
        }
        size++;
      } else if (slots[at + 4] > commitId) {
        return;
      }
      slots[at] = high;
      slots[at + 1] = low;
      slots[at + 2] = payloadHigh;
      slots[at + 3] = payloadLow;
      slots[at + 4] = commitId;
    }

    /** Makes room for so many more at once. */
    void expect(int more) {
      long wanted = (long) ((size + (long) more) / FULL) + 1;
      if (wanted > capacity) {
        grow(wanted);
      }
    }

    /** Returns where the identity is, or where it would be. */
    private int slot(long high, long low) {
      int index = (int) (((low >>> Integer.SIZE) * capacity) >>> Integer.SIZE);
      while (true) {
        int at = index * WIDTH;
        if (slots[at + 4] == 0 || (slots[at] == high && slots[at + 1] == low)) {
          return at;
        }
        index = index + 1 == capacity ? 0 : index + 1;
      }
    }

    private void grow(long wanted) {
      if (wanted > Integer.MAX_VALUE / WIDTH - 1) {
        throw new IllegalStateException("a type of more than " + size * (long) TABLES + " rows");
      }
      long[] old = slots;
      capacity = (int) wanted;
      slots = new long[capacity * WIDTH];
      for (int i = 0; i < old.length; i += WIDTH) {
        if (old[i + 4] != 0) {
          System.arraycopy(old, i, slots, slot(old[i], old[i + 1]), WIDTH);
        }
      }
    }
  }
}
