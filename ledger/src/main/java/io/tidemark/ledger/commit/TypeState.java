// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import java.util.Arrays;

/**
 * What a type looks like as of some commit: for each identity the commit that last wrote it and a
 * digest of what that wrote. Enough to tell what a set of assertions would change, without a
 * request and without keeping any payload: some 60 bytes an identity.
 *
 * <p>An open hash table over one array, because a type may have millions of rows and an object for
 * each would cost several times as much. Not safe for use by more than one thread at a time.
 */
final class TypeState {

  private static final int WIDTH = 5;
  private static final int FIRST_SLOTS = 64;

  private long[] table = new long[FIRST_SLOTS * WIDTH];
  private int slots = FIRST_SLOTS;
  private int size;
  private long upTo;

  /** The commit as of which this is. */
  long upTo() {
    return upTo;
  }

  void upTo(long commitId) {
    upTo = commitId;
  }

  int size() {
    return size;
  }

  void clear() {
    table = new long[FIRST_SLOTS * WIDTH];
    slots = FIRST_SLOTS;
    size = 0;
    upTo = 0;
  }

  /** The commit that last wrote the identity; 0 when none did. */
  long commitOf(Digest identity) {
    return table[slot(identity) + 4];
  }

  boolean holds(Digest identity, Digest payload) {
    int at = slot(identity);
    return table[at + 4] != 0 && table[at + 2] == payload.high() && table[at + 3] == payload.low();
  }

  /** Says what a commit wrote, unless a newer one is known to have written the same identity. */
  void put(Digest identity, Digest payload, long commitId) {
    int at = slot(identity);
    if (table[at + 4] == 0) {
      if (++size > slots * 2L / 3) {
        grow();
        at = slot(identity);
      }
    } else if (table[at + 4] > commitId) {
      return;
    }
    table[at] = identity.high();
    table[at + 1] = identity.low();
    table[at + 2] = payload.high();
    table[at + 3] = payload.low();
    table[at + 4] = commitId;
  }

  /** Where the identity is, or where it would be. */
  private int slot(Digest identity) {
    int mask = slots - 1;
    int index = (int) identity.low() & mask;
    while (true) {
      int at = index * WIDTH;
      boolean free = table[at + 4] == 0;
      if (free || (table[at] == identity.high() && table[at + 1] == identity.low())) {
        return at;
      }
      index = (index + 1) & mask;
    }
  }

  private void grow() {
    long[] old = table;
    if (slots > Integer.MAX_VALUE / WIDTH / 2) {
      throw new IllegalStateException("a type of more than " + size + " identities");
    }
    slots *= 2;
    table = new long[slots * WIDTH];
    for (int i = 0; i < old.length; i += WIDTH) {
      if (old[i + 4] != 0) {
        int at = slot(new Digest(old[i], old[i + 1]));
        System.arraycopy(old, i, table, at, WIDTH);
      }
    }
    Arrays.fill(old, 0);
  }
}
