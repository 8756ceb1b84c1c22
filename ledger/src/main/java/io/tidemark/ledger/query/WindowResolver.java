// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.ManifestChain;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.TemporalScope;
import io.tidemark.ledger.query.model.TemporalScope.Moment;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;

/** Resolver of moments to commits. */
record WindowResolver(ManifestChain chain) {

  /** Returns the window of a query, given the head; a cursor keeps it at that of the first page. */
  Window window(PinnedHead pinnedHead, Query query) {
    long head = pinnedHead.head().commitId();
    long pinned = query.after().map(cursor -> Math.min(cursor.headId(), head)).orElse(head);
    TemporalScope temporalScope = query.temporal();
    long upper = upper(pinnedHead, temporalScope.upTo(), pinned);
    return new Window(
        Math.max(0, temporalScope.historySince().orElse(0)),
        upper,
        temporalScope.isHistory() ? Shape.HISTORY : Shape.STATE);
  }

  /** Returns the commit of a moment, none later than the pinned one. */
  long upper(PinnedHead pinnedHead, Moment moment, long pinned) {
    if (moment instanceof Moment.AtCommit commit) {
      return Math.min(Math.max(commit.id(), 0), pinned);
    }
    return moment instanceof Moment.AtTime at ? atTime(pinnedHead, at, pinned) : pinned;
  }

  private long atTime(PinnedHead pinnedHead, Moment.AtTime at, long pinned) {
    long found = pinnedHead.newest().map(newest -> chain.newestAt(newest, at.time())).orElse(0L);
    return Math.min(found, pinned);
  }
}
