// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.server.http.Follower;
import io.tidemark.server.http.Visitor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Somebody who waits for transactions; has one page at most that isn't being written yet. */
abstract class ChangeFollower extends Follower {

  private final Newcomers newcomers;
  private final Function<LoggedTransaction, Optional<? extends JsonNode>> shown;
  private List<LoggedTransaction> page = List.of();
  private long position;
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
      Function<LoggedTransaction, Optional<? extends JsonNode>> shown) {
    super(newcomers.hub(), visitor);
    this.newcomers = newcomers;
    this.position = after;
    this.shown = shown;
  }

  /** After which number it waits for the next; empty while it has something to write. */
  final synchronized Optional<Long> awaits() {
    return page.isEmpty() && !ended ? Optional.of(position) : Optional.empty();
  }

  final void hand(List<LoggedTransaction> next) {
    synchronized (this) {
      page = next;
      position = next.get(next.size() - 1).number();
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

  /** What it was handed and hasn't written yet; when that is nothing, it waits for the next. */
  final List<LoggedTransaction> taken() {
    List<LoggedTransaction> all;
    synchronized (this) {
      all = page;
      page = List.of();
    }
    if (all.isEmpty() && !isOver()) {
      newcomers.wanted(this);
    }
    return all;
  }

  final Optional<? extends JsonNode> shown(LoggedTransaction transaction) {
    return shown.apply(transaction);
  }
}
