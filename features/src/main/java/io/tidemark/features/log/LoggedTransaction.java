// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.model.Txn;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A committed transaction, as recorded in the log.
 *
 * @param txn its own number, taken while it was under way
 * @param psqlId its transaction id in PostgreSQL
 * @param appId the application
 * @param author the person; null when none was given
 * @param ts when it began
 * @param numbered its position among all transactions; null as long as it has none
 * @param signals its actions, in the order in which each first occurred
 */
public record LoggedTransaction(
    Txn txn,
    long psqlId,
    String appId,
    @Nullable String author,
    Instant ts,
    @Nullable SequencePosition numbered,
    List<LogAction> signals) {

  /**
   * The place of a transaction in the order in which they became visible.
   *
   * @param number from 1 on, without holes
   * @param at when it was given
   */
  public record SequencePosition(long number, Instant at) {}

  public LoggedTransaction {
    signals = List.copyOf(signals);
  }

  /** Returns the sequence number that the transaction was given. */
  public long number() {
    if (numbered == null) {
      throw new IllegalStateException(txn + " has no number yet");
    }
    return numbered.number();
  }

  /** Returns the collections in which it changed features, or which it changed themselves. */
  public List<String> collections() {
    return signals.stream()
        .filter(logAction -> !(logAction instanceof LogAction.Message))
        .map(LogAction::id)
        .distinct()
        .toList();
  }
}
