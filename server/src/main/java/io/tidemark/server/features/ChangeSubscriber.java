// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.server.http.PushSubscriber;
import io.tidemark.server.http.RevalidatingCaller;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Somebody who waits for transactions; has one page at most that isn't being written yet. */
abstract class ChangeSubscriber extends PushSubscriber {

  private final ChangeHub changeHub;
  private final Function<FeatureTransaction, Optional<? extends JsonNode>> shown;

  /** Transactions that were handed and aren't written, and the position behind them. */
  private FeatureChanges page;

  private boolean ended;

  /**
   * Somebody who has seen what there is up to a number.
   *
   * @param shown what the caller may know of a transaction
   */
  ChangeSubscriber(
      RevalidatingCaller revalidatingCaller,
      ChangeHub changeHub,
      long after,
      Function<FeatureTransaction, Optional<? extends JsonNode>> shown) {
    super(changeHub.hub(), revalidatingCaller);
    this.changeHub = changeHub;
    this.page = new FeatureChanges(List.of(), after);
    this.shown = shown;
  }

  /** Returns the number after which it waits for the next; empty while it has some to write. */
  final synchronized Optional<Long> awaitedNumber() {
    return page.items().isEmpty() && !ended ? Optional.of(page.after()) : Optional.empty();
  }

  /** Hands over the next page, which may only move the position. */
  final void deliver(FeatureChanges next) {
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

  final synchronized boolean isEnded() {
    return ended || isEnding();
  }

  /** Returns what was handed and isn't written; if that is nothing, it waits for the next. */
  final FeatureChanges takePending() {
    FeatureChanges all;
    synchronized (this) {
      all = page;
      page = new FeatureChanges(List.of(), all.after());
    }
    if (all.items().isEmpty() && !isEnded()) {
      changeHub.requestPage(this);
    }
    return all;
  }

  final Optional<? extends JsonNode> visiblePart(FeatureTransaction transaction) {
    return shown.apply(transaction);
  }
}
