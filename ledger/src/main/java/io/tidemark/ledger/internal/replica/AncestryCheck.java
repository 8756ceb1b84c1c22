// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.internal.store.ManifestChain;

/** Check whether a commit is one of those that a head stands on. */
record AncestryCheck(ManifestChain chain) {

  /** Returns the path of the manifest of a commit that a head stands on. */
  String path(PinnedHead pinnedHead, long commitId) {
    if (commitId == pinnedHead.head().commitId()) {
      return pinnedHead.head().manifestPath().orElse("");
    }
    Manifest after = chain.find(pinnedHead.newest().orElseThrow(), commitId + 1);
    return after.parent().map(Manifest.Link::path).orElse("");
  }

  /** Returns whether the commit of that number and manifest is one of them. */
  boolean contains(PinnedHead pinnedHead, long commitId, String manifestPath) {
    return commitId <= pinnedHead.head().commitId()
        && commitId > 0
        && path(pinnedHead, commitId).equals(manifestPath);
  }
}
