// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.CollectionInfo;
import io.tidemark.features.CollectionNotFoundException;
import io.tidemark.features.CollectionOptions;
import io.tidemark.features.Txn;
import io.tidemark.features.db.Failures;
import io.tidemark.features.geojson.GeoJson;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection that a load lives by. It holds a lock, by which others know that the load is
 * under way and its tables are no leftovers, and no transaction, which would keep the server from
 * cleaning up for as long as the load takes. When the loader, its connection or the server dies,
 * the lock is gone, and the load can't end any more.
 */
final class LoadSession implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LoadSession.class);

  private final Sql sql;
  private final Connection connection;
  private final String collection;

  private LoadSession(Sql sql, Connection connection, String collection) {
    this.sql = sql;
    this.connection = connection;
    this.collection = collection;
  }

  /** What is to be loaded into, and how that is now. */
  sealed interface Target {
    CollectionInfo info();

    /** There is none yet; the info is what it will have. */
    record Absent(CollectionInfo info, CollectionOptions options) implements Target {}

    record Empty(CollectionInfo info) implements Target {}

    record Filled(CollectionInfo info) implements Target {}
  }

  /**
   * The beginning of the transaction that a load is.
   *
   * @param txn its number
   * @param ms when that was, in milliseconds by the server's clock
   * @param exactly the same as the server writes it
   * @param holder the server process that holds the lock
   * @param base the row number before the first
   * @param reserved the last row number that may be used
   */
  record Beginning(Txn txn, long ms, String exactly, int holder, long base, long reserved) {}

  /** Takes the lock. */
  static LoadSession begin(Sql sql, String collection) {
    Connection connection = sql.database().take();
    LoadSession session = new LoadSession(sql, connection, collection);
    try {
      boolean locked =
          session.one("SELECT %s.naksha_load_lock(?)", row -> row.getBoolean(1), collection);
      if (!locked) {
        throw new LoadRefusedException(
            "another load into collection '%s' is under way; wait until it has ended"
                .formatted(collection));
      }
      return session;
    } catch (RuntimeException e) {
      session.giveBack();
      throw e;
    }
  }

  /** Looks at the collection. */
  Target target(@Nullable CollectionOptions create) {
    String known = one("SELECT %s.naksha_collection_read(?)", row -> row.getString(1), collection);
    if (known == null) {
      if (create == null) {
        throw new CollectionNotFoundException(
            "there is no collection '%s'; create it first, or let the load do that"
                .formatted(collection));
      }
      String planned =
          one(
              "SELECT %s.naksha_collection_plan(?, ?::jsonb)",
              row -> row.getString(1), collection, create.json());
      return new Target.Absent(new CollectionInfo(GeoJson.object(planned)), create);
    }
    CollectionInfo info = new CollectionInfo(GeoJson.object(known));
    if (info.deleted()) {
      throw new CollectionNotFoundException(
          "the collection '%s' is deleted; restore or purge it first".formatted(collection));
    }
    boolean filled =
        one(
            "SELECT EXISTS (SELECT FROM %s)".replace("%s", sql.table(collection)),
            row -> row.getBoolean(1));
    return filled ? new Target.Filled(info) : new Target.Empty(info);
  }

  /** Takes the transaction's number and row numbers, of which no more than so many are used. */
  Beginning number(Target target, long mostRows) {
    long base =
        target instanceof Target.Empty
            ? one(
                "SELECT %s.naksha_load_numbers(?, ?)", row -> row.getLong(1), collection, mostRows)
            : 0;
    return one(
        "SELECT %s.naksha_txn_next(), (date_part('epoch', current_timestamp) * 1000)::bigint,"
            + " current_timestamp::text, pg_backend_pid()",
        row ->
            new Beginning(
                new Txn(row.getLong(1)),
                row.getLong(2),
                row.getString(3),
                row.getInt(4),
                base,
                base + mostRows));
  }

  private <T> T one(String query, Sql.Row<T> row, Object... arguments) {
    return sql.with(
        connection,
        c -> {
          try {
            T value = sql.rows(c, query, row, arguments).get(0);
            c.commit();
            return value;
          } catch (SQLException e) {
            c.rollback();
            throw e;
          }
        });
  }

  @Override
  public void close() {
    try {
      one("SELECT %s.naksha_load_unlock(?)", row -> row.getBoolean(1), collection);
    } catch (RuntimeException e) {
      LOG.debug(
          "the lock of a load couldn't be given back; its connection is gone and so is it", e);
    }
    giveBack();
  }

  private void giveBack() {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("a connection couldn't be given back: {}", Failures.of(e).getMessage());
    }
  }
}
