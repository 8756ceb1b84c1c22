// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import io.tidemark.features.bulk.BulkOperations;
import io.tidemark.features.check.Checker;
import io.tidemark.features.db.CommitResolver;
import io.tidemark.features.db.Database;
import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.db.PartitionProvisioner;
import io.tidemark.features.db.PostgresErrorTranslator;
import io.tidemark.features.db.Replicas;
import io.tidemark.features.db.SchemaInstaller;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.features.maintain.BackgroundMaintainer;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.maintain.Maintainer;
import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CommitUnknownException;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.read.ReadRouter;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.CommittedBatch;
import io.tidemark.features.write.Transaction;
import io.tidemark.features.write.Write;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A storage of features: collections in a PostgreSQL database.
 *
 * <p>All that is written is written in a {@link Transaction}, in the name of an {@link Actor}:
 *
 * <pre>{@code
 * try (Features features = Features.open("jdbc:postgresql://host/db?user=me", "store")) {
 *   features.transact(Actor.app("my-app").by("alice"), tx -> {
 *     tx.collections().create("roads", CollectionOptions.none());
 *     return tx.write("roads", List.of(Write.create(Feature.parse(geoJson))));
 *   });
 * }
 * }</pre>
 */
public final class Features implements AutoCloseable {

  private static final int MOST_ATTEMPTS = 20;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);
  private static final Pattern TRANSACTION_ID = Pattern.compile("[0-9]{1,19}");
  private static final Pattern TIME = Pattern.compile("[0-9TZ :.+-]{10,40}");

  private final FeatureStorage featureStorage;
  private final ReadRouter reads;
  private final PartitionProvisioner days;

  private Features(FeatureStorage featureStorage, Replicas replicas) {
    this.featureStorage = featureStorage;
    this.reads = new ReadRouter(featureStorage, replicas);
    this.days = new PartitionProvisioner(featureStorage, Clock.systemUTC());
  }

  /** Opens a storage with the usual options, and installs or upgrades it first if need be. */
  public static Features open(String jdbcUrl, String storageId) {
    return open(jdbcUrl, storageId, FeaturesOptions.defaults());
  }

  /**
   * Opens a storage, and installs or upgrades it first if necessary.
   *
   * @param jdbcUrl the database; its parameter {@code currentSchema} selects the schema
   * @param storageId the prefix of the GUIDs of all features; a storage keeps the one it got first
   */
  public static Features open(String jdbcUrl, String storageId, FeaturesOptions options) {
    SchemaInstaller wanted = SchemaInstaller.of(storageId);
    Database database = Database.connect(jdbcUrl, options);
    try {
      FeatureStorage featureStorage = new FeatureStorage(database, wanted.install(database));
      return new Features(featureStorage, Replicas.connect(featureStorage));
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** Returns the prefix of the storage's GUIDs. */
  public String storageId() {
    return featureStorage.place().storageId();
  }

  /** Begins a transaction, which the caller commits and closes. */
  public Transaction begin(Actor actor) {
    days.provision();
    return Transaction.begin(featureStorage, actor);
  }

  /** Runs work in one transaction, which is committed unless the work fails. */
  public <T> T transact(Actor actor, Function<Transaction, T> work) {
    try (Transaction transaction = begin(actor)) {
      T result = work.apply(transaction);
      transaction.commit();
      return result;
    }
  }

  /**
   * Reads features in one snapshot. Replicas, if configured, are asked in turn; a replica may not
   * have received the latest writes yet.
   *
   * @param work run once, or again from its beginning on the primary: when a replica can't answer
   *     it, or cancels it to keep up with the primary, and when tables were replaced after the
   *     snapshot was taken
   * @throws StorageUnavailableException if the read was cancelled after {@link
   *     ReadTransaction#each} had handed out features, so that it can't be repeated unnoticed
   */
  public <T> T read(Function<ReadTransaction, T> work) {
    return reads.read(work);
  }

  /**
   * Reads features in a snapshot that includes at least the given transaction. A replica that
   * doesn't receive the transaction in time is skipped; the primary always has it.
   */
  public <T> T readSince(Txn transaction, Function<ReadTransaction, T> work) {
    return reads.readSince(transaction, work);
  }

  /** Returns the transaction log, which can be read, numbered and followed. */
  public TransactionLog log() {
    return new TransactionLog(featureStorage);
  }

  /** Runs the maintenance that is due, with default options, and reports what was done. */
  public MaintenanceOutcome maintain() {
    return maintain(MaintainOptions.defaults());
  }

  /** Runs the maintenance that is due, with the given options. */
  public MaintenanceOutcome maintain(MaintainOptions options) {
    return maintain(options, name -> {});
  }

  /**
   * Runs the maintenance that is due and reports progress.
   *
   * @param turn gets the name of each collection, and of the log, before its turn
   */
  public MaintenanceOutcome maintain(MaintainOptions options, Consumer<String> turn) {
    return new Maintainer(featureStorage, options).run(turn);
  }

  /** Maintains it in the background until that or the storage is closed. */
  public BackgroundMaintainer startMaintainer(MaintainOptions options) {
    BackgroundMaintainer started = BackgroundMaintainer.start(featureStorage, options);
    featureStorage.database().closeBeforePool(started);
    return started;
  }

  /**
   * Writes a batch in a transaction of its own: all of it, or nothing when one write can't be done.
   * Batches that have each feature once can't deadlock with each other, but plain SQL may lock
   * features in any order. If PostgreSQL chooses the batch as the victim of a deadlock, it is
   * repeated.
   */
  public BatchResult write(Actor actor, String collection, List<Write> writes) {
    return retryOnDeadlock(
        actor,
        transaction -> {
          BatchResult result = transaction.write(collection, writes);
          if (result.done()) {
            transaction.commit();
          }
          return result;
        });
  }

  /**
   * Writes a batch together with messages for the log, keyed by their ids, and returns the
   * transaction.
   *
   * @param messages recorded only if the whole batch is done
   */
  public CommittedBatch write(
      Actor actor, String collection, List<Write> writes, Map<String, String> messages) {
    return retryOnDeadlock(
        actor,
        transaction -> {
          BatchResult result = transaction.write(collection, writes);
          CommittedBatch committedBatch = new CommittedBatch(result, transaction.txn());
          if (result.done()) {
            messages.forEach((id, text) -> transaction.message(id, text, null));
            transaction.commit();
          }
          return committedBatch;
        });
  }

  private <T> T retryOnDeadlock(Actor actor, Function<Transaction, T> work) {
    for (int attempt = 1; ; attempt++) {
      try (Transaction transaction = begin(actor)) {
        return work.apply(transaction);
      } catch (StorageUnavailableException e) {
        if (attempt == MOST_ATTEMPTS || !PostgresErrorTranslator.isRetryable(e)) {
          throw e;
        }
        // The transaction that won must make progress, however slow it is; a retry without a pause
        // would meet it again and lose again.
        LockSupport.parkNanos(attempt * PAUSE);
      }
    }
  }

  /**
   * Returns whether a commit whose outcome was unknown took place, in which case nothing of it may
   * be repeated. A transaction that changed nothing counts as not committed.
   *
   * @throws CommitUnknownException if the server still can't say
   * @throws InvalidRequestException if it was a commit of another storage
   */
  public boolean wasCommitted(CommitUnknownException unknown) {
    if (!unknown.storageId().equals(storageId())) {
      throw new InvalidRequestException(
          "the commit was one of the storage '%s', and this is '%s'; ask that one"
              .formatted(unknown.storageId(), storageId()));
    }
    CommitResolver.TransactionStart transactionStart =
        new CommitResolver.TransactionStart(unknown.transactionId(), unknown.began());
    return new CommitResolver(featureStorage, transactionStart).wasCommitted(unknown);
  }

  /**
   * Returns whether a commit took place, for a caller that has only the values of the message.
   *
   * @param transactionId the id in PostgreSQL, the {@code psql_id} of the log
   * @param began when it began, the {@code ts} of the log
   */
  public boolean wasCommitted(String transactionId, String began) {
    if (!TRANSACTION_ID.matcher(transactionId).matches() || !TIME.matcher(began).matches()) {
      throw new InvalidRequestException(
          "a transaction is asked for by its id, such as 1234, and by when it began, such as"
              + " '2026-11-16 12:00:00.123456+00', as they were told");
    }
    return wasCommitted(
        new CommitUnknownException(
            "what became of it is asked for",
            storageId(),
            transactionId,
            began,
            new IllegalStateException("asked for")));
  }

  /** Returns a checker for the consistency of the stored data. */
  public Checker checker() {
    return new Checker(featureStorage);
  }

  /** Loads and exports whole collections. */
  public BulkOperations bulk() {
    return new BulkOperations(featureStorage, this::begin);
  }

  /** Stops the background work and closes all connections. */
  @Override
  public void close() {
    reads.close();
    featureStorage.database().close();
  }
}
