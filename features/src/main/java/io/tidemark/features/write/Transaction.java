// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.collection.CollectionCatalog;
import io.tidemark.features.db.CommitResolver;
import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.log.Attachment;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.CommitUnknownException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction that writes for one actor. All its changes become visible when {@link #commit}
 * returns, or none of them. Closing it without a commit rolls it back. After an exception it can
 * only be closed.
 *
 * <p>It is for one thread at a time.
 */
public final class Transaction implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Transaction.class);

  private final FeatureStorage featureStorage;
  private final SqlSession sql;
  private final Actor actor;
  private final CommitResolver.TransactionStart transactionStart;
  private final Savepoints savepoints;
  private boolean ended;

  private Transaction(FeatureStorage featureStorage, SqlSession sql, Actor actor) {
    this.featureStorage = featureStorage;
    this.sql = sql;
    this.actor = actor;
    this.savepoints = new Savepoints(sql);
    this.transactionStart =
        sql.queryOne(
            "SELECT pg_current_xact_id()::text, current_timestamp::text,"
                + " %s.naksha_tx_start(?, ?, ?)",
            row -> new CommitResolver.TransactionStart(row.getString(1), row.getString(2)),
            actor.appId(),
            actor.author(),
            actor.streamId());
  }

  /** Begins a transaction, which the caller commits and closes. */
  public static Transaction begin(FeatureStorage featureStorage, Actor actor) {
    SqlSession sqlSession = featureStorage.session();
    try {
      return new Transaction(featureStorage, sqlSession, actor);
    } catch (RuntimeException e) {
      sqlSession.close();
      throw e;
    }
  }

  /** Returns the number of this transaction. */
  public Txn txn() {
    return new Txn(sql.queryLong("SELECT %s.naksha_txn()"));
  }

  /** Returns the collections, as this transaction sees and changes them. */
  public CollectionCatalog collections() {
    return new CollectionCatalog(sql);
  }

  /** Returns a reader of the features as this transaction sees them. */
  public ReadTransaction reading() {
    return new ReadTransaction(sql);
  }

  /**
   * Writes features of a collection, and returns the result of each write. A write that can't be
   * done has no effect, and the rest is done; the caller decides whether to commit that.
   *
   * @throws CollectionNotFoundException if there is no such collection, or it is deleted
   */
  public BatchResult write(String collection, List<Write> writes) {
    return write(collection, writes, ResultDetail.STATES);
  }

  /** Writes features of a collection, with the given detail of the results. */
  public BatchResult write(String collection, List<Write> writes, ResultDetail resultDetail) {
    savepoints.release();
    return new BatchWriter(sql, savepoints, beginning(collection), resultDetail).run(writes);
  }

  private BatchContext beginning(String collection) {
    return sql.queryOne(
        "SELECT %s.naksha_collection_write(?),"
            + " (date_part('epoch', current_timestamp) * 1000)::bigint,"
            + " (date_part('epoch', clock_timestamp()) * 1000)::bigint",
        row ->
            new BatchContext(
                actor,
                sql.place().storageId(),
                writable(collection, row.getString(1)),
                row.getLong(2),
                row.getLong(3)),
        collection);
  }

  private static CollectionInfo writable(String collection, @Nullable String json) {
    if (json == null) {
      throw new CollectionNotFoundException(
          "there is no collection '%s'; create it first".formatted(collection));
    }
    CollectionInfo info = CollectionInfo.parse(json);
    if (info.deleted()) {
      throw new CollectionNotFoundException(
          "the collection '%s' is deleted; restore it before writing to it".formatted(collection));
    }
    return info;
  }

  /**
   * Puts a message into the transaction log. The last of those with the same id counts.
   *
   * @param text null when there is none
   * @param json null when there is none
   */
  public void message(String id, @Nullable String text, @Nullable String json) {
    sql.call("SELECT %s.naksha_tx_message(?, ?, ?::jsonb)", id, text, json);
  }

  /** Leaves a message with attached bytes. */
  public void message(
      String id, @Nullable String text, @Nullable String json, Attachment attachment) {
    sql.call("SELECT %s.naksha_tx_message(?, ?, ?::jsonb, ?)", id, text, json, attachment.bytes());
  }

  /**
   * Makes it real.
   *
   * @throws StorageUnavailableException if nothing of it is there
   * @throws CommitUnknownException if the connection broke and the server can't be asked
   */
  public void commit() {
    ended = true;
    new CommitResolver(featureStorage, transactionStart).commit(sql);
  }

  /** Rolls the transaction back, unless it was committed. */
  @Override
  public void close() {
    if (!ended) {
      ended = true;
      try {
        sql.rollback();
      } catch (TidemarkException e) {
        LOG.debug(
            "a transaction couldn't be undone, its connection is gone and with it the work", e);
      }
    }
    sql.close();
  }
}
