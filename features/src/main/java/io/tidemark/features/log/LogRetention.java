// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.Txn;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Queries of the log about the past, for the days that are kept. History may be kept for longer;
 * queries of it that need the log are refused then.
 *
 * @param session where to look
 */
public record LogRetention(SqlSession session) {

  /** The last day that numbers can have. */
  private static final LocalDate NEVER = LocalDate.of(9223, 12, 31);

  /**
   * Returns the last transaction that counts at a moment: of those before the first that began
   * later. If there is none that day, returns the number before the first of the day.
   *
   * <p>A transaction takes its number after it began, when it has its locks. So one that began by
   * the moment may have a higher number than one that began after it, and the highest number of
   * those that began by then would let the other in. A transaction that has committed by the moment
   * has a lower number than all that began later, since numbers are given out in order. So all of
   * those count, and none that began later.
   *
   * @throws LogGoneException if the day was dropped from the log
   */
  public long lastUpTo(Instant moment) {
    Txn day = Txn.dayOf(moment);
    LocalDate gone = firstDropped(day.day());
    if (gone.equals(day.day())) {
      throw LogGoneException.ofMoment(moment, day.day());
    }
    // Not only the day's own numbers: after a clock that was fast, they are of a later one.
    long end = Txn.of(gone, 0).value();
    return session.queryLong(
        "SELECT coalesce(max(txn), ? - 1) FROM %s.naksha_tx WHERE txn >= ? AND txn < coalesce("
            + "(SELECT txn FROM %s.naksha_tx WHERE txn >= ? AND txn < ? AND ts > ?"
            + " ORDER BY txn LIMIT 1), ?)",
        day.value(),
        day.value(),
        day.value(),
        end,
        OffsetDateTime.ofInstant(moment, ZoneOffset.UTC),
        end);
  }

  /**
   * Returns the first day, from the given one on, that is noted as dropped or whose table was
   * dropped by hand.
   */
  private LocalDate firstDropped(LocalDate since) {
    return session.queryOne(
        "SELECT coalesce(min(day), ?) FROM (SELECT day FROM %s.naksha_tx_dropped"
            + " UNION ALL SELECT day FROM %s.naksha_tx_days WHERE"
            + " to_regclass('%s.naksha_tx_' || to_char(day, 'YYYY_MM_DD')) IS NULL) AS gone"
            + " WHERE day >= ?",
        row -> row.getObject(1, LocalDate.class), NEVER, since);
  }

  /**
   * Makes sure that all transactions are in the log that a snapshot of PostgreSQL's didn't see. A
   * drop that the snapshot saw took nothing away that it didn't see, too.
   *
   * @throws LogGoneException if some may have been dropped
   */
  public void requireSince(String snapshot) {
    List<String> gone =
        session.queryTexts(
            "SELECT max(day)::text FROM %s.naksha_tx_dropped"
                + " WHERE last_xid >= pg_snapshot_xmin(?::text::pg_snapshot)::text::bigint"
                + " AND NOT pg_visible_in_snapshot(dropped_by::text::xid8, ?::text::pg_snapshot)"
                + " HAVING count(*) > 0",
            snapshot, snapshot);
    if (!gone.isEmpty()) {
      throw LogGoneException.ofPage(LocalDate.parse(gone.get(0)));
    }
  }
}
