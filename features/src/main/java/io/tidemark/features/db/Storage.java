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
public record Storage(Database database, Place place) {

  /** A session of the caller's, who closes it; it begins a transaction with its first use. */
  public Session take() {
    return new Session(database.take(), place);
  }

  /** One that isn't on a connection of the pool's; see {@link Database#apart}. */
  public Session apart() {
    return new Session(database.apart(), place);
  }

  /** Does something in a transaction of its own, which is committed unless it fails. */
  public <T> T inTransaction(Function<Session, T> work) {
    try (Session session = take()) {
      return session.committed(work);
    }
  }

  /** Calls a function whose answer says nothing, in a transaction of its own. */
  public void call(String sql, @Nullable Object... arguments) {
    boolean unused =
        inTransaction(
            session -> {
              session.call(sql, arguments);
              return true;
            });
  }

  /** Looks at something, all at the same moment. */
  public <T> T atOneMoment(Function<Session, T> work) {
    return inTransaction(
        session -> {
          session.seeOneMoment();
          return work.apply(session);
        });
  }
}
