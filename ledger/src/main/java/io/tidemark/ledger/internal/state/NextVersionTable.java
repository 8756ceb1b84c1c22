// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.schema.Identity;
import java.util.Arrays;

/**
 * Table of the commits with which the next version of the same identity came, by version of a row.
 * Versions are added in the order of commits. Identities are told apart by their digests, so that a
 * version takes up to {@value #ROW_BYTES} bytes, whatever is in it.
 *
 * <p>Not safe for use by more than one thread at a time.
 */
public final class NextVersionTable {

  /** Maximum number of bytes that a version takes. */
  public static final int ROW_BYTES = 96;

  /** Value for a version that is the last. */
  public static final long NONE = Long.MAX_VALUE;

  private static final int FIRST = 1 << 10;

  private long[] digests = new long[2 * FIRST];
  private int[] last = empty(FIRST);
  private int identities;
  private long[] until = new long[FIRST];
  private int count;

  private static int[] empty(int slots) {
    int[] none = new int[slots];
    Arrays.fill(none, -1);
    return none;
  }

  /** Adds a version behind those that have been added. */
  public void add(long commitId, Identity identity) {
    if (count == until.length) {
      until = Arrays.copyOf(until, Math.addExact(count, count / 2));
    }
    until[count] = NONE;
    Digest digest = Digest.of(identity);
    int slot = slot(digest.high(), digest.low());
    if (last[slot] >= 0) {
      until[last[slot]] = commitId;
    } else {
      digests[2 * slot] = digest.high();
      digests[2 * slot + 1] = digest.low();
      identities++;
    }
    last[slot] = count++;
    if (identities > last.length / 4 * 3) {
      grow();
    }
  }

  /**
   * Returns the commit of the version that follows a version, which is given by its number from 0.
   */
  public long of(long number) {
    if (number >= count) {
      throw new IllegalArgumentException("there are " + count + " versions, none is " + number);
    }
    return until[(int) number];
  }

  private int slot(long high, long low) {
    int slot = (int) low & (last.length - 1);
    while (last[slot] >= 0 && (digests[2 * slot] != high || digests[2 * slot + 1] != low)) {
      slot = (slot + 1) & (last.length - 1);
    }
    return slot;
  }

  private void grow() {
    long[] oldDigests = digests;
    int[] oldLast = last;
    last = empty(Math.multiplyExact(oldLast.length, 2));
    digests = new long[Math.multiplyExact(last.length, 2)];
    for (int i = 0; i < oldLast.length; i++) {
      if (oldLast[i] >= 0) {
        int slot = slot(oldDigests[2 * i], oldDigests[2 * i + 1]);
        digests[2 * slot] = oldDigests[2 * i];
        digests[2 * slot + 1] = oldDigests[2 * i + 1];
        last[slot] = oldLast[i];
      }
    }
  }
}
