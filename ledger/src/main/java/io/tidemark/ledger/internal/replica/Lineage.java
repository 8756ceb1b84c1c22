// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.Manifest;

/** Tells whether a commit is one of those that a head stands on. */
record Lineage(Chain chain) {

  /** Where the manifest of a commit is that a head stands on. */
  String path(Base base, long commitId) {
    if (commitId == base.head().commitId()) {
      return base.head().manifestPath().orElse("");
    }
    Manifest after = chain.find(base.newest().orElseThrow(), commitId + 1);
    return after.parent().map(Manifest.Link::path).orElse("");
  }

  /** Whether the commit of that number and manifest is one of them. */
  boolean holds(Base base, long commitId, String manifestPath) {
    return commitId <= base.head().commitId()
        && commitId > 0
        && path(base, commitId).equals(manifestPath);
  }
}
