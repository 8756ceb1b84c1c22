// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.features;

import io.tidemark.api.Page;
import io.tidemark.api.features.CommitOutcome;
import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureLog;
import io.tidemark.api.features.FeatureTail;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.api.features.SequenceResult;
import io.tidemark.api.features.TransactionsRequest;
import io.tidemark.api.features.TransactionsRequest.FromNumber;
import io.tidemark.api.features.TransactionsRequest.FromTxn;
import io.tidemark.api.features.TransactionsRequest.WithMessage;
import io.tidemark.features.log.Feed;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import io.tidemark.names.NotFoundException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** Log of transactions in process. */
record EmbeddedFeatureLog(FeatureUse use) implements FeatureLog {

  @Override
  public Page<FeatureTransaction> list(TransactionsRequest request) {
    Optional<Long> position = request.cursor().map(EmbeddedFeatureLog::position);
    int limit = request.limit();
    if (request.start() instanceof FromNumber from) {
      return page(
          log().fromNumber(position.orElse(from.number()), limit),
          limit,
          last -> last.number() + 1);
    }
    if (request.start() instanceof FromTxn from) {
      Txn first = new Txn(position.orElse(from.txn()));
      return page(log().from(first, limit), limit, last -> last.txn().value() + 1);
    }
    Txn newest = position.map(Txn::new).orElse(TransactionLog.END);
    List<LoggedTransaction> found =
        request.start() instanceof WithMessage message
            ? log().byMessageUpTo(message.id(), newest, limit)
            : log().lastUpTo(newest, limit);
    return page(found, limit, last -> last.txn().value() - 1);
  }

  private TransactionLog log() {
    return use.features().log();
  }

  private static long position(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "the cursor is none of this listing's; begin without one", e);
    }
  }

  /**
   * Returns a page.
   *
   * @param behind returns the position of the next page
   */
  private static Page<FeatureTransaction> page(
      List<LoggedTransaction> found, int limit, ToLongFunction<LoggedTransaction> behind) {
    return new Page<>(
        transactions(found),
        found.size() < limit
            ? Optional.empty()
            : Optional.of(Long.toString(behind.applyAsLong(found.get(found.size() - 1)))));
  }

  private static List<FeatureTransaction> transactions(List<LoggedTransaction> found) {
    return found.stream().map(FeatureResults::transaction).toList();
  }

  @Override
  public FeatureTransaction get(long txn) {
    return log()
        .byTxn(new Txn(txn))
        .map(FeatureResults::transaction)
        .orElseThrow(
            () ->
                new NotFoundException(
                    "the log has no transaction " + txn + ", or doesn't keep it any more"));
  }

  @Override
  public FeatureChanges changes(OptionalLong after, int limit) {
    if (after.isEmpty()) {
      return new FeatureChanges(List.of(), log().lastNumber());
    }
    List<LoggedTransaction> found = log().fromNumber(after.getAsLong() + 1, limit);
    return new FeatureChanges(
        transactions(found),
        found.isEmpty() ? after.getAsLong() : found.get(found.size() - 1).number());
  }

  @Override
  public FeatureTail follow(OptionalLong after) {
    return new Tail(log().feed(after.orElseGet(log()::lastNumber)));
  }

  @Override
  public SequenceResult sequence() {
    long numbered = log().sequence();
    return new SequenceResult(numbered, log().lastNumber());
  }

  @Override
  public CommitOutcome outcome(String transaction, String began) {
    return use.commit(() -> new CommitOutcome(use.features().wasCommitted(transaction, began)));
  }

  private record Tail(Feed feed) implements FeatureTail {

    @Override
    public Optional<FeatureTransaction> next(Duration atMost) {
      return feed.next(atMost).map(FeatureResults::transaction);
    }

    @Override
    public void close() {
      feed.close();
    }
  }
}
