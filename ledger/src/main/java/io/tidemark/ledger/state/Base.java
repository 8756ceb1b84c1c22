// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.state;

import io.tidemark.ledger.store.Head;
import io.tidemark.ledger.store.Manifest;
import java.util.Optional;

/** The state that a proposal is made on: the head, and the newest commit if there is one. */
public record Base(Head.Versioned versioned, Optional<Manifest> newest) {

  public Head head() {
    return versioned.head();
  }

  /** The id that the next commit gets. */
  public long nextCommitId() {
    return head().commitId() + 1;
  }
}
