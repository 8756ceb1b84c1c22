// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

/**
 * The moment of a first page, of which all further pages are to be.
 *
 * <p>Numbers of transactions say when one began, not when it ended, so no number divides what was
 * there from what wasn't. PostgreSQL's own snapshot does: the log has the id of each transaction,
 * and so tells which of them were not to be seen then. What these did is taken back: their states
 * don't count, and those they replaced, which the history has, do.
 *
 * @param snapshot as PostgreSQL writes it
 * @param firstTxn no transaction that wasn't to be seen has a lower number
 */
public record Moment(String snapshot, long firstTxn) {

  /** Asks which transactions were not to be seen. Whoever reads sees what it wrote itself. */
  public SqlText unseen(String schema) {
    return SqlText.of(
        ("SELECT DISTINCT txn FROM %s.naksha_tx WHERE txn >= ?::bigint"
                + " AND psql_id >= pg_snapshot_xmin(?::text::pg_snapshot)::text::bigint"
                + " AND NOT pg_visible_in_snapshot(psql_id::text::xid8, ?::text::pg_snapshot)"
                + " AND psql_id IS DISTINCT FROM pg_current_xact_id_if_assigned()::text::bigint"
                + " ORDER BY txn")
            .formatted(schema),
        firstTxn,
        snapshot,
        snapshot);
  }
}
