// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Txn;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection that a load depends on. It holds a lock, by which other processes recognise
 * that the load is running and its tables aren't garbage. It holds no open transaction, which would
 * keep the server from vacuuming for as long as the load takes. When the loader, its connection or
 * the server dies, the lock is released, and the load can't finish any more.
 */
final class LoadSession implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LoadSession.class);

  private final SqlSession sqlSession;
  private final String collection;

  private LoadSession(SqlSession sqlSession, String collection) {
    this.sqlSession = sqlSession;
    this.collection = collection;
  }

  /** Collection that is loaded into, and its current state. */
  sealed interface Target {
    CollectionInfo info();

    /** The collection doesn't exist; the info is what it will have. */
    record Absent(CollectionInfo info, CollectionOptions options) implements Target {}

    record Empty(CollectionInfo info) implements Target {}

    record Filled(CollectionInfo info) implements Target {}

    /**
     * The collection is empty, but its tables can't be replaced.
     *
     * @param loss additions to the tables, made by hand, that would be lost
     */
    record Customized(CollectionInfo info, String loss) implements Target {}
  }

  /**
   * Start of the transaction that a load is.
   *
   * @param txn its number
   * @param ms the start in milliseconds, by the server's clock
   * @param exactly the start as the server writes it
   * @param holder the server process that holds the lock
   * @param base the row number before the first
   * @param reserved the last row number that may be used
   */
  record LoadStart(Txn txn, long ms, String exactly, int holder, long base, long reserved) {}

  /** Opens a session and takes the lock. */
  static LoadSession begin(FeatureStorage featureStorage, String collection) {
    LoadSession load = new LoadSession(featureStorage.session(), collection);
    try {
      if (!load.sqlSession.inTransaction(
          s -> s.queryBoolean("SELECT %s.naksha_load_lock(?)", collection))) {
        throw new LoadRefusedException(
            "another load into collection '%s' is under way; wait until it has ended"
                .formatted(collection));
      }
      return load;
    } catch (RuntimeException e) {
      load.sqlSession.close();
      throw e;
    }
  }

  /** Reads the current state of the collection. */
  Target target(@Nullable CollectionOptions create) {
    Optional<String> known =
        sqlSession.inTransaction(
            s -> s.queryText("SELECT %s.naksha_collection_read(?)", collection));
    if (known.isEmpty()) {
      if (create == null) {
        throw new CollectionNotFoundException(
            "there is no collection '%s'; create it first, or let the load do that"
                .formatted(collection));
      }
      String planned =
          sqlSession
              .inTransaction(
                  s ->
                      s.queryText(
                          "SELECT %s.naksha_collection_plan(?, ?::jsonb)",
                          collection, create.json()))
              .orElseThrow();
      return new Target.Absent(CollectionInfo.parse(planned), create);
    }
    CollectionInfo info = CollectionInfo.parse(known.get());
    if (info.deleted()) {
      throw new CollectionNotFoundException(
          "the collection '%s' is deleted; restore or purge it first".formatted(collection));
    }
    boolean filled =
        sqlSession.inTransaction(
            s -> s.queryBoolean("SELECT EXISTS (SELECT FROM " + s.place().table(collection) + ")"));
    if (filled) {
      return new Target.Filled(info);
    }
    Optional<String> loss =
        sqlSession.inTransaction(s -> s.queryText("SELECT %s.naksha_load_loss(?)", collection));
    return loss.isPresent() ? new Target.Customized(info, loss.get()) : new Target.Empty(info);
  }

  /** Takes the transaction's number and row numbers, of which at most {@code mostRows} are used. */
  LoadStart reserveNumbers(Target target, long mostRows) {
    long base =
        sqlSession.inTransaction(
            s ->
                target instanceof Target.Empty
                    ? s.queryLong("SELECT %s.naksha_load_numbers(?, ?)", collection, mostRows)
                    : s.queryLong("SELECT %s.naksha_last_number(?)", collection));
    return sqlSession.inTransaction(
        s ->
            s.queryOne(
                "SELECT %s.naksha_txn_next(), (date_part('epoch', current_timestamp) * 1000)::bigint,"
                    + " current_timestamp::text, pg_backend_pid()",
                row ->
                    new LoadStart(
                        new Txn(row.getLong(1)),
                        row.getLong(2),
                        row.getString(3),
                        row.getInt(4),
                        base,
                        base + mostRows)));
  }

  @Override
  public void close() {
    try {
      sqlSession.inTransaction(s -> s.queryBoolean("SELECT %s.naksha_load_unlock(?)", collection));
    } catch (RuntimeException e) {
      LOG.debug(
          "the lock of a load couldn't be given back; its connection is gone and so is it", e);
    }
    sqlSession.close();
  }
}
