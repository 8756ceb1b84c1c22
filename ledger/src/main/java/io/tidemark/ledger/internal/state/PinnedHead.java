// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.TypeSummary;
import io.tidemark.ledger.schema.TypeId;
import java.util.Optional;

/** State that a proposal is made on: the head, and the newest commit if there is one. */
public record PinnedHead(Head.Versioned versioned, Optional<Manifest> newest) {

  public Head head() {
    return versioned.head();
  }

  /** Returns the summary of a type in the newest commit; see {@link Manifest#type}. */
  public TypeSummary type(TypeId type) {
    return newest.map(commit -> commit.type(type)).orElse(TypeSummary.NONE);
  }

  /** Returns the id that the next commit gets. */
  public long nextCommitId() {
    return head().commitId() + 1;
  }
}
