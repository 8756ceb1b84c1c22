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
 * @param seen how many of those that began after the oldest one under way were to be seen
 */
public record PageSnapshot(String snapshot, long firstTxn, long seen) {

  /**
   * That a line of the log was written by the transaction it names. One that came with a dump of
   * another server names one of that server, which may be above all that this one has had; it was
   * written, as its row knows, by an older one. Both ids are compared as PostgreSQL does, whose
   * rows hold half of each.
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

  /** Counts what was to be seen in a snapshot. */
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
   * Asks whether a server that may lag behind has all that was to be seen. What is older than
   * anything under way then has ended here, too; of the rest it has as much. The ends of snapshots
   * alone wouldn't tell, while one transaction takes long and others end in another order than they
   * began.
   */
  public SqlFragment caughtUpSql(String schema) {
    return SqlFragment.of(
            "SELECT pg_snapshot_xmin(pg_current_snapshot())"
                + " >= pg_snapshot_xmin(?::text::pg_snapshot) AND (",
            snapshot)
        .then(visibleCountSql(schema, snapshot, firstTxn))
        .then(SqlFragment.of(") = ?::bigint", seen));
  }

  /** Asks which transactions were not to be seen. Whoever reads sees what it wrote itself. */
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
