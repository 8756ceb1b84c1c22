// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Temporal;
import io.tidemark.ledger.query.model.Temporal.Moment;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;

/** Finds the commits that a moment means. */
record Moments(Chain chain) {

  /** What a query looks at, given the head; a cursor keeps it at that of the first page. */
  Window window(Base base, Query query) {
    long head = base.head().commitId();
    long pinned = query.after().map(cursor -> Math.min(cursor.headId(), head)).orElse(head);
    Temporal temporal = query.temporal();
    long upper = upper(base, temporal.upTo(), pinned);
    return new Window(
        Math.max(0, temporal.historySince().orElse(0)),
        upper,
        temporal.isHistory() ? Shape.HISTORY : Shape.STATE);
  }

  /** The commit that a moment means, none later than the pinned one. */
  long upper(Base base, Moment moment, long pinned) {
    if (moment instanceof Moment.AtCommit commit) {
      return Math.min(Math.max(commit.id(), 0), pinned);
    }
    return moment instanceof Moment.AtTime at ? atTime(base, at, pinned) : pinned;
  }

  private long atTime(Base base, Moment.AtTime at, long pinned) {
    long found = base.newest().map(newest -> chain.newestAt(newest, at.time())).orElse(0L);
    return Math.min(found, pinned);
  }
}
