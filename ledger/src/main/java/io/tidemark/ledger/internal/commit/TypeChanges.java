// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.commit.CommitCondition.RowMatch;
import io.tidemark.ledger.internal.state.Digest;
import io.tidemark.ledger.internal.state.DigestBuffer;
import io.tidemark.ledger.internal.state.TypeState;
import io.tidemark.ledger.schema.TypeId;

/** Changes of one type, kept as digests, to be applied to the state once the commit is real. */
final class TypeChanges {

  private final TypeState state;
  private final long commitId;
  private final DigestBuffer digestBuffer = new DigestBuffer();

  TypeChanges(TypeState state, long commitId) {
    this.state = state;
    this.commitId = commitId;
  }

  long commitId() {
    return commitId;
  }

  /** Returns the number of rows that change. */
  long count() {
    return digestBuffer.count();
  }

  /** Returns whether a fact changes something, and is admitted. */
  boolean changes(TypeId type, PackedFact fact, CommitCondition commitCondition) {
    Digest identity = fact.identityDigest();
    Digest payload = fact.payloadDigest();
    RowMatch rowMatch = match(state, identity, payload);
    if (!commitCondition.admits(type, () -> fact.identity(type), rowMatch)
        || rowMatch == RowMatch.EQUAL) {
      return false;
    }
    digestBuffer.add(identity, payload);
    return true;
  }

  static RowMatch match(TypeState state, Digest identity, Digest payload) {
    if (state.commitOf(identity) == 0) {
      return RowMatch.ABSENT;
    }
    return state.holds(identity, payload) ? RowMatch.EQUAL : RowMatch.DIFFERENT;
  }

  /** Applies the changes to the state, since the commit is real. */
  void apply() {
    state.putAll(digestBuffer, commitId);
    state.upTo(commitId);
  }
}
