// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Buffer of digests of identities and payloads, sorted by the table of {@link TypeState} they
 * belong to: so a table is filled as a whole, while it is in the processor's cache.
 */
public final class DigestBuffer {

  /** Number of longs in the digests of a change. */
  static final int WIDTH = 4;

  private static final int FIRST = 4;
  private static final int MOST = 512;

  private final @Nullable Part[] parts = new @Nullable Part[TypeState.TABLES];
  private long count;

  private static final class Part {
    private final List<long[]> full = new ArrayList<>();
    private long[] last = new long[FIRST * WIDTH];
    private int filled;
  }

  public long count() {
    return count;
  }

  public void add(Digest identity, Digest payload) {
    int number = TypeState.number(identity.high());
    Part part = parts[number];
    if (part == null) {
      part = new Part();
      parts[number] = part;
    }
    if (part.filled == part.last.length) {
      part.full.add(part.last);
      part.last = new long[Math.min(part.filled * 2, MOST * WIDTH)];
      part.filled = 0;
    }
    long[] last = part.last;
    last[part.filled++] = identity.high();
    last[part.filled++] = identity.low();
    last[part.filled++] = payload.high();
    last[part.filled++] = payload.low();
    count++;
  }

  /** Returns the digests of one table, in arrays that are full. */
  List<long[]> of(int table) {
    Part part = parts[table];
    if (part == null) {
      return List.of();
    }
    List<long[]> all = new ArrayList<>(part.full);
    all.add(Arrays.copyOf(part.last, part.filled));
    return all;
  }
}
