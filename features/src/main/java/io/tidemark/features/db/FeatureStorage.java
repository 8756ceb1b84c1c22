// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A storage as its own parts see it.
 *
 * @param database the connections to it
 * @param place where it is in the database
 */
public record FeatureStorage(Database database, SchemaLocation place) {

  /** Returns a session that the caller must close; its first use begins a transaction. */
  public SqlSession session() {
    return new SqlSession(database.connection(), place);
  }

  /** Returns a session outside the pool; see {@link Database#dedicatedConnection}. */
  public SqlSession dedicatedSession() {
    return new SqlSession(database.dedicatedConnection(), place);
  }

  /** Runs work in a transaction of its own, which is committed unless the work fails. */
  public <T> T inTransaction(Function<SqlSession, T> work) {
    try (SqlSession sqlSession = session()) {
      return sqlSession.inTransaction(work);
    }
  }

  /** Calls a function and ignores its result, in a transaction of its own. */
  public void call(String sql, @Nullable Object... arguments) {
    boolean unused =
        inTransaction(
            sqlSession -> {
              sqlSession.call(sql, arguments);
              return true;
            });
  }

  /** Runs work that reads in one snapshot. */
  public <T> T readSnapshot(Function<SqlSession, T> work) {
    return inTransaction(
        sqlSession -> {
          sqlSession.readOnlySnapshot();
          return work.apply(sqlSession);
        });
  }
}
