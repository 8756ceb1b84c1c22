// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.Txn;
import io.tidemark.features.db.Session;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * What the log knows of the past, as far as its days are kept. History may be kept for longer; what
 * only the log could tell of it is refused then.
 *
 * @param session where to look
 */
public record KeptLog(Session session) {

  /**
   * The last transaction that began by a moment, or the one before the first of that day.
   *
   * @throws LogGoneException if the day was dropped from the log
   */
  public long lastUpTo(Instant moment) {
    Txn day = Txn.dayOf(moment);
    if (isDropped(day.day())) {
      throw LogGoneException.ofMoment(moment, day.day());
    }
    return session.number(
        "SELECT coalesce(max(txn), ? - 1) FROM %s.naksha_tx WHERE txn >= ? AND txn < ? AND ts <= ?",
        day.value(),
        day.value(),
        Txn.dayOf(moment.plusSeconds(86_400)).value(),
        OffsetDateTime.ofInstant(moment, ZoneOffset.UTC));
  }

  /** Whether it is noted as dropped, or somebody has dropped its table by hand. */
  private boolean isDropped(LocalDate day) {
    return session.number(
            "SELECT (SELECT count(*) FROM %s.naksha_tx_dropped WHERE day = ?) + (SELECT count(*)"
                + " FROM %s.naksha_tx_days WHERE day = ? AND"
                + " to_regclass('%s.naksha_tx_' || to_char(day, 'YYYY_MM_DD')) IS NULL)",
            day, day)
        > 0;
  }

  /**
   * Makes sure that all transactions are in the log that a snapshot of PostgreSQL's didn't see. A
   * drop that the snapshot saw took nothing away that it didn't see, too.
   *
   * @throws LogGoneException if some may have been dropped
   */
  public void checkSince(String snapshot) {
    List<String> gone =
        session.texts(
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
