// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.server.http.Follower;
import io.tidemark.server.http.Visitor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Somebody who waits for transactions; has one page at most that isn't being written yet. */
abstract class ChangeFollower extends Follower {

  private final Newcomers newcomers;
  private final Function<FeatureTransaction, Optional<? extends JsonNode>> shown;

  /** Transactions that were handed and aren't written, and the position behind them. */
  private FeatureChanges page;

  private boolean ended;

  /**
   * Somebody who has seen what there is up to a number.
   *
   * @param shown what the caller may know of a transaction
   */
  ChangeFollower(
      Visitor visitor,
      Newcomers newcomers,
      long after,
      Function<FeatureTransaction, Optional<? extends JsonNode>> shown) {
    super(newcomers.hub(), visitor);
    this.newcomers = newcomers;
    this.page = new FeatureChanges(List.of(), after);
    this.shown = shown;
  }

  /** Returns the number after which it waits for the next; empty while it has some to write. */
  final synchronized Optional<Long> awaits() {
    return page.items().isEmpty() && !ended ? Optional.of(page.after()) : Optional.empty();
  }

  /** Hands over the next page, which may only move the position. */
  final void hand(FeatureChanges next) {
    synchronized (this) {
      page = next;
    }
    iterate();
  }

  /** Has it end, since it can't be told more. */
  final void end() {
    synchronized (this) {
      ended = true;
    }
    iterate();
  }

  final synchronized boolean isOver() {
    return ended || isEnding();
  }

  /** Returns what was handed and isn't written; if that is nothing, it waits for the next. */
  final FeatureChanges taken() {
    FeatureChanges all;
    synchronized (this) {
      all = page;
      page = new FeatureChanges(List.of(), all.after());
    }
    if (all.items().isEmpty() && !isOver()) {
      newcomers.wanted(this);
    }
    return all;
  }

  final Optional<? extends JsonNode> shown(FeatureTransaction transaction) {
    return shown.apply(transaction);
  }
}
