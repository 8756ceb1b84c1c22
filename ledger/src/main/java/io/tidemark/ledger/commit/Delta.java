// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.commit.Terms.Standing;
import io.tidemark.ledger.schema.TypeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What changes of one type: kept as digests, to be entered into the state once it is real. */
final class Delta {

  /** How many longs the digests of a change are. */
  static final int WIDTH = 4;

  private static final int FIRST_CHANGES = 16;
  private static final int MOST_CHANGES = 4_096;

  private final TypeState state;
  private final long commitId;
  private final List<long[]> full = new ArrayList<>();
  private long[] last = new long[FIRST_CHANGES * WIDTH];
  private int filled;
  private long count;

  Delta(TypeState state, long commitId) {
    this.state = state;
    this.commitId = commitId;
  }

  long commitId() {
    return commitId;
  }

  /** How many rows change. */
  long count() {
    return count;
  }

  /** Whether a fact changes something, and may. */
  boolean changes(TypeId type, PackedFact fact, Terms terms) {
    Digest identity = fact.identityDigest();
    Digest payload = fact.payloadDigest();
    Standing standing = standing(state, identity, payload);
    if (!terms.admits(type, () -> fact.identity(type), standing) || standing == Standing.EQUAL) {
      return false;
    }
    if (filled == last.length) {
      full.add(last);
      last = new long[Math.min(filled * 2, MOST_CHANGES * WIDTH)];
      filled = 0;
    }
    last[filled++] = identity.high();
    last[filled++] = identity.low();
    last[filled++] = payload.high();
    last[filled++] = payload.low();
    count++;
    return true;
  }

  static Standing standing(TypeState state, Digest identity, Digest payload) {
    if (state.commitOf(identity) == 0) {
      return Standing.ABSENT;
    }
    return state.holds(identity, payload) ? Standing.EQUAL : Standing.DIFFERENT;
  }

  /** Enters the changes into the state, since the commit is real. */
  void apply() {
    List<long[]> all = new ArrayList<>(full);
    all.add(Arrays.copyOf(last, filled));
    state.putAll(all, count, commitId);
    state.upTo(commitId);
  }
}
