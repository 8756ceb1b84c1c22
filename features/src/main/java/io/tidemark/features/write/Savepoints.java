// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.db.SqlSession;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/**
 * Where the batches of a transaction go back to. Each savepoint begins a sub-transaction within the
 * one before it until that is released; and the deeper they are nested, the longer PostgreSQL takes
 * to tell whose a row is.
 *
 * <p>Those of a batch are released, all at once, when the next one begins. Then nothing of it is
 * undone any more but with the whole transaction; and a batch that is the last, as most are, takes
 * no statement for it.
 */
final class Savepoints {

  private final SqlSession sql;
  private @Nullable Savepoint first;

  Savepoints(SqlSession sql) {
    this.sql = sql;
  }

  Savepoint set() {
    Savepoint made = sql.savepoint();
    if (first == null) {
      first = made;
    }
    return made;
  }

  /** Undoes all that was done since, and gives back what was locked; it can be undone to again. */
  void undoTo(Savepoint before) {
    sql.undoTo(before);
  }

  /** Leaves what was done to the transaction as a whole. */
  void release() {
    if (first != null) {
      sql.release(first);
      first = null;
    }
  }
}
