// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import io.tidemark.features.db.SqlSession;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/**
 * Savepoints to which the batches of a transaction roll back. Each savepoint begins a
 * subtransaction within the one before it until that is released. The deeper they are nested, the
 * longer PostgreSQL takes to find the transaction of a row.
 *
 * <p>Those of a batch are released, all at once, when the next one begins. From then on the batch
 * is only rolled back with the whole transaction. The last batch, as most are, needs no statement
 * for it.
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

  /** Rolls back to a savepoint and releases the locks taken since; the savepoint stays usable. */
  void undoTo(Savepoint before) {
    sql.undoTo(before);
  }

  /** Releases the savepoints, so that the work since belongs to the transaction as a whole. */
  void release() {
    if (first != null) {
      sql.release(first);
      first = null;
    }
  }
}
