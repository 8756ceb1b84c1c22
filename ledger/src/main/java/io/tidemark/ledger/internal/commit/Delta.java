// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.commit.Terms.Standing;
import io.tidemark.ledger.internal.state.Changes;
import io.tidemark.ledger.internal.state.Digest;
import io.tidemark.ledger.internal.state.TypeState;
import io.tidemark.ledger.schema.TypeId;

/** What changes of one type: kept as digests, to be entered into the state once it is real. */
final class Delta {

  private final TypeState state;
  private final long commitId;
  private final Changes changes = new Changes();

  Delta(TypeState state, long commitId) {
    this.state = state;
    this.commitId = commitId;
  }

  long commitId() {
    return commitId;
  }

  /** How many rows change. */
  long count() {
    return changes.count();
  }

  /** Whether a fact changes something, and may. */
  boolean changes(TypeId type, PackedFact fact, Terms terms) {
    Digest identity = fact.identityDigest();
    Digest payload = fact.payloadDigest();
    Standing standing = standing(state, identity, payload);
    if (!terms.admits(type, () -> fact.identity(type), standing) || standing == Standing.EQUAL) {
      return false;
    }
    changes.add(identity, payload);
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
    state.putAll(changes, commitId);
    state.upTo(commitId);
  }
}
