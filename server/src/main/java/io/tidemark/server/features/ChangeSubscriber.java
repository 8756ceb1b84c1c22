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

/** Client that waits for transactions. It holds at most one page that isn't being written yet. */
abstract class ChangeSubscriber extends PushSubscriber {

  private final ChangeHub changeHub;
  private final Function<FeatureTransaction, Optional<? extends JsonNode>> shown;

  /** Delivered transactions that aren't written yet, and the position after them. */
  private FeatureChanges page;

  private boolean ended;

  /**
   * Creates a client that has seen the log up to a number.
   *
   * @param shown returns the part of a transaction that the caller may see
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

  /**
   * Returns the number after which this client awaits transactions; empty while it has a page to
   * write.
   */
  final synchronized Optional<Long> awaitedNumber() {
    return page.items().isEmpty() && !ended ? Optional.of(page.after()) : Optional.empty();
  }

  /** Delivers the next page, which may be empty and only advance the position. */
  final void deliver(FeatureChanges next) {
    synchronized (this) {
      page = next;
    }
    iterate();
  }

  /** Ends this client, since its next page can't be read. */
  final void end() {
    synchronized (this) {
      ended = true;
    }
    iterate();
  }

  final synchronized boolean isEnded() {
    return ended || isEnding();
  }

  /** Returns the delivered page and clears it. If it is empty, requests the next page. */
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
