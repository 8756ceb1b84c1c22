// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

/**
 * Snapshot of a first page, which all further pages share.
 *
 * <p>Transaction numbers say when a transaction began, not when it ended, so no number separates
 * visible transactions from invisible ones. PostgreSQL's own snapshot does: the log has the id of
 * each transaction, and so tells which of them were invisible then. Their changes are taken back:
 * their states don't count, and the states that they replaced, which the history has, do.
 *
 * @param snapshot as PostgreSQL writes it
 * @param firstTxn no invisible transaction has a lower number
 * @param seen number of visible transactions among those that began after the oldest one under way
 */
public record PageSnapshot(String snapshot, long firstTxn, long seen) {

  /**
   * Condition that a row of the log was written by the transaction it names. A row restored from a
   * dump of another server names a transaction of that server, whose id may be above all ids of
   * this one; the row's own xmin is of an older transaction. Both ids are compared as PostgreSQL
   * does, whose rows hold half of each.
   */
  private static final String OF_THIS_SERVER =
      " AND ((xmin::text::bigint - psql_id) & 4294967295) < 2147483648";

  /**
   * The most transactions of a replica's snapshot that may be looked for; a handle names those that
   * aren't found.
   */
  private static final long MOST_OPEN = 10_000;

  /**
   * Asks for the snapshot of a replica, completed, or null when too many may be under way. A
   * replica's own lacks those under way between its ends. Each that can't be seen in the log is
   * taken for one, since that is all that counts here.
   */
  public static SqlFragment replicaSnapshotSql(String schema, String snapshot, long firstTxn) {
    return SqlFragment.of(
        ("WITH ends AS (SELECT pg_snapshot_xmin(s)::text::bigint AS low,"
                + " pg_snapshot_xmax(s)::text::bigint AS high"
                + " FROM (SELECT ?::text::pg_snapshot) AS given(s)), open AS ("
                + "SELECT x FROM ends, generate_series(low, least(high - 1, low + %2$d)) AS x"
                + " EXCEPT SELECT psql_id FROM %1$s.naksha_tx, ends WHERE txn >= ?::bigint"
                + " AND psql_id >= low AND psql_id < high"
                + OF_THIS_SERVER
                + ")"
                + " SELECT CASE WHEN high - low <= %2$d THEN low || ':' || high || ':'"
                + " || coalesce((SELECT string_agg(x::text, ',' ORDER BY x) FROM open), '') END"
                + " FROM ends")
            .formatted(schema, MOST_OPEN),
        snapshot,
        firstTxn);
  }

  /** Returns SQL that counts the transactions visible in a snapshot. */
  public static SqlFragment visibleCountSql(String schema, String snapshot, long firstTxn) {
    return SqlFragment.of(
        ("SELECT count(DISTINCT psql_id) FROM %s.naksha_tx WHERE txn >= ?::bigint"
                + " AND psql_id >= pg_snapshot_xmin(?::text::pg_snapshot)::text::bigint"
                + " AND pg_visible_in_snapshot(psql_id::text::xid8, ?::text::pg_snapshot)"
                + OF_THIS_SERVER)
            .formatted(schema),
        firstTxn,
        snapshot,
        snapshot);
  }

  /**
   * Returns SQL that tells whether a server that may lag behind has all transactions visible in the
   * snapshot. Transactions older than any under way then have ended here, too; of the rest, the
   * number of visible ones must match. The bounds of the snapshots alone wouldn't suffice, while
   * one transaction takes long and others end in another order than they began.
   */
  public SqlFragment caughtUpSql(String schema) {
    return SqlFragment.of(
            "SELECT pg_snapshot_xmin(pg_current_snapshot())"
                + " >= pg_snapshot_xmin(?::text::pg_snapshot) AND (",
            snapshot)
        .then(visibleCountSql(schema, snapshot, firstTxn))
        .then(SqlFragment.of(") = ?::bigint", seen));
  }

  /**
   * Returns SQL for the transactions that are invisible in the snapshot. The reading transaction
   * sees its own writes.
   */
  public SqlFragment invisibleTransactionsSql(String schema) {
    return SqlFragment.of(
        ("SELECT DISTINCT txn FROM %s.naksha_tx WHERE txn >= ?::bigint"
                + " AND psql_id >= pg_snapshot_xmin(?::text::pg_snapshot)::text::bigint"
                + " AND NOT pg_visible_in_snapshot(psql_id::text::xid8, ?::text::pg_snapshot)"
                + " AND psql_id IS DISTINCT FROM pg_current_xact_id_if_assigned()::text::bigint"
                + OF_THIS_SERVER
                + " ORDER BY txn")
            .formatted(schema),
        firstTxn,
        snapshot,
        snapshot);
  }
}
