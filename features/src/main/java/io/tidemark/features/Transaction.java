// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import io.tidemark.features.db.Database;
import io.tidemark.features.db.Failures;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction of somebody's. All it did is there for others when {@link #commit} returns, or none
 * of it. Closing it without a commit undoes it. After an exception it can only be closed.
 *
 * <p>It is for one thread at a time.
 */
public final class Transaction implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Transaction.class);

  private final Database database;
  private final Connection connection;
  private final Statements sql;
  private final Actor actor;
  private final LostCommit.Begin begin;
  private boolean ended;

  private Transaction(Database database, Connection connection, Statements sql, Actor actor) {
    this.database = database;
    this.connection = connection;
    this.sql = sql;
    this.actor = actor;
    this.begin =
        sql.rows(
                "SELECT pg_current_xact_id()::text, current_timestamp::text,"
                    + " %s.naksha_tx_start(?, ?, ?)",
                row -> new LostCommit.Begin(row.getString(1), row.getString(2)),
                actor.appId(),
                actor.author(),
                actor.streamId())
            .get(0);
  }

  static Transaction begin(Database database, Features.Place place, Actor actor) {
    Connection connection = database.take();
    try {
      return new Transaction(database, connection, new Statements(connection, place), actor);
    } catch (RuntimeException e) {
      giveBack(connection);
      throw e;
    }
  }

  /** The number of this transaction. */
  public Txn txn() {
    return sql.rows("SELECT %s.naksha_txn()", row -> new Txn(row.getLong(1))).get(0);
  }

  /** The collections, as this transaction sees and changes them. */
  public Collections collections() {
    return new Collections(sql);
  }

  /** Features, as this transaction sees them. */
  public Reading reading() {
    return new Reading(sql);
  }

  /**
   * Does what is wanted with features of a collection, and tells what became of each. What can't be
   * done changes nothing, and the rest is done; whether to commit that is up to the caller.
   *
   * @throws CollectionNotFoundException if there is no such collection, or it is deleted
   */
  public WriteResult write(String collection, List<Write> writes) {
    return write(collection, writes, Answer.STATES);
  }

  /** The same, and says how much is to be told. */
  public WriteResult write(String collection, List<Write> writes, Answer answer) {
    return new Batch(sql, beginning(collection), answer).run(writes);
  }

  private BatchBegin beginning(String collection) {
    return sql.rows(
            "SELECT %s.naksha_collection_read(?),"
                + " (date_part('epoch', current_timestamp) * 1000)::bigint,"
                + " (date_part('epoch', clock_timestamp()) * 1000)::bigint",
            row ->
                new BatchBegin(
                    actor,
                    sql.place().storageId(),
                    writable(collection, row.getString(1)),
                    row.getLong(2),
                    row.getLong(3)),
            collection)
        .get(0);
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
    sql.rows("SELECT %s.naksha_tx_message(?, ?, ?::jsonb)", row -> id, id, text, json);
  }

  /**
   * Makes it real.
   *
   * @throws StorageUnavailableException if nothing of it is there
   * @throws CommitUnknownException if the connection broke and the server can't be asked
   */
  public void commit() {
    ended = true;
    try {
      connection.commit();
    } catch (SQLException e) {
      if (!Failures.connectionLost(e)) {
        throw Failures.of(e);
      }
      if (!new LostCommit(database, sql.place().schema(), begin).hasHappened(e)) {
        throw new StorageUnavailableException(
            "the connection broke during the commit, which didn't take place; do it again", e);
      }
      LOG.warn("the connection broke during a commit, which took place all the same", e);
    }
  }

  /** Undoes all of it, unless it was committed. */
  @Override
  public void close() {
    if (!ended) {
      ended = true;
      try {
        connection.rollback();
      } catch (SQLException e) {
        LOG.debug(
            "a transaction couldn't be undone, its connection is gone and with it the work", e);
      }
    }
    giveBack(connection);
  }

  private static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("a connection couldn't be given back; the pool replaces it", e);
    }
  }
}
