// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * The log of a storage: each transaction that changed features or collections, or left a message,
 * with its actions.
 *
 * <p>A transaction has two numbers. Its {@link Txn} is taken while it is under way, so one with a
 * lower txn may become visible later. Its sequence number is given by the {@link Sequencer} once it
 * is visible; a reader that has seen all up to a number misses none.
 */
public final class TransactionLog {

  /** A number beyond all that there can be. */
  public static final Txn END = Txn.of(LocalDate.of(9223, 1, 1), 0);

  private final FeatureStorage featureStorage;

  public TransactionLog(FeatureStorage featureStorage) {
    this.featureStorage = featureStorage;
  }

  /**
   * Returns a transaction; empty when there is none of that number, or its day isn't kept any more.
   */
  public Optional<LoggedTransaction> byTxn(Txn txn) {
    return featureStorage
        .inTransaction(s -> new LogReader(s).where("WHERE t.txn = ? ORDER BY t.i", txn.value()))
        .stream()
        .findFirst();
  }

  /** Returns at most {@code limit} transactions from the given one on, by txn; numbered or not. */
  public List<LoggedTransaction> from(Txn first, int limit) {
    return featureStorage.inTransaction(
        s ->
            new LogReader(s)
                .where(
                    "WHERE t.txn IN (SELECT DISTINCT f.txn FROM %s.naksha_tx f WHERE f.txn >= "
                        + first.value() // a literal: days before aren't even locked then
                        + " ORDER BY f.txn LIMIT ?) AND t.txn >= "
                        + first.value()
                        + " ORDER BY t.txn, t.i",
                    positive(limit)));
  }

  /** Returns at most {@code limit} last transactions by txn, newest first; numbered or not. */
  public List<LoggedTransaction> last(int limit) {
    return lastUpTo(END, limit);
  }

  /** Returns the last transactions up to the given one, newest first. */
  public List<LoggedTransaction> lastUpTo(Txn newest, int limit) {
    return featureStorage.inTransaction(
        s ->
            new LogReader(s)
                .where(
                    "WHERE t.txn IN (SELECT DISTINCT f.txn FROM %s.naksha_tx f WHERE f.txn <= "
                        + newest.value() // a literal: days after aren't even locked then
                        + " ORDER BY f.txn DESC LIMIT ?) ORDER BY t.txn DESC, t.i",
                    positive(limit)));
  }

  /** Returns at most {@code limit} last transactions with a message of that id, newest first. */
  public List<LoggedTransaction> byMessage(String id, int limit) {
    return byMessageUpTo(id, END, limit);
  }

  /** Returns the last transactions with a message of that id up to the given one, newest first. */
  public List<LoggedTransaction> byMessageUpTo(String id, Txn newest, int limit) {
    return featureStorage.inTransaction(
        s ->
            new LogReader(s)
                .where(
                    "WHERE t.txn IN (SELECT m.txn FROM %s.naksha_tx m WHERE m.action = 'MESSAGE'"
                        + " AND m.id = ? AND m.txn <= ? ORDER BY m.txn DESC LIMIT ?)"
                        + " ORDER BY t.txn DESC, t.i",
                    id, newest.value(), positive(limit)));
  }

  /**
   * Returns at most {@code limit} transactions from a sequence number on, in order. The first may
   * have a higher number, when days of the log were dropped.
   *
   * @throws LogGoneException if the log ends before the preceding number, which the caller must
   *     have read in another log
   */
  public List<LoggedTransaction> fromNumber(long number, int limit) {
    return featureStorage.readSnapshot(
        s -> {
          LogReader rows = new LogReader(s);
          List<LoggedTransaction> found = rows.numbered(number, positive(limit));
          long last = found.isEmpty() ? rows.lastNumber() : number;
          if (last < number - 1) {
            throw LogGoneException.ahead(number - 1, last);
          }
          return found;
        });
  }

  /** Returns the last sequence number that was given; 0 when there is none. */
  public long lastNumber() {
    return featureStorage.inTransaction(s -> new LogReader(s).lastNumber());
  }

  /**
   * Numbers the visible transactions that have no number yet, in this thread, and returns how many
   * there were. This may run beside a {@link Sequencer}, but only a sequencer moves heads.
   */
  public long sequence() {
    long all = 0;
    while (true) {
      long found =
          featureStorage.inTransaction(
              s -> s.queryLong("SELECT %s.naksha_sequence(?, 'all')", Sequencer.A_ROUND));
      all += found;
      if (found < Sequencer.A_ROUND) {
        return all;
      }
    }
  }

  /** Numbers transactions in the background until it or the storage is closed. */
  public Sequencer startSequencer(SequencerOptions options) {
    Sequencer started = Sequencer.start(featureStorage, options);
    featureStorage.database().closeBeforePool(started);
    return started;
  }

  /**
   * Returns a feed of the transactions after a number, in order and each once; 0 begins with the
   * first.
   */
  public Feed feed(long after) {
    return feed(after, FeedOptions.defaults());
  }

  /** Returns a feed of the transactions after a number, with options for waiting. */
  public Feed feed(long after, FeedOptions options) {
    return new Feed(featureStorage, after, options);
  }

  private static int positive(int limit) {
    if (limit < 1) {
      throw new InvalidRequestException(
          "a limit of %d is too small; give at least 1".formatted(limit));
    }
    return limit;
  }
}
