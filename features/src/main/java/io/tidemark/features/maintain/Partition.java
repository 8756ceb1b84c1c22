// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.db.SqlSession;
import java.time.LocalDate;
import java.util.List;

/**
 * A partition of a table that is divided by days.
 *
 * @param name the table
 * @param part the suffix of its name: a day or a month
 * @param first its first day
 * @param end the day after its last
 * @param sealed whether the ids in it are recorded
 */
record Partition(String name, String part, LocalDate first, LocalDate end, boolean sealed) {

  /** Returns the partitions of a table, oldest first. */
  static List<Partition> of(SqlSession sqlSession, String parent) {
    return sqlSession.queryRows(
        "SELECT name, part, first_day, end_day, %s.naksha_is_sealed(leaf)"
            + " FROM %s.naksha_partitions(?)",
        row ->
            new Partition(
                row.getString(1),
                row.getString(2),
                row.getObject(3, LocalDate.class),
                row.getObject(4, LocalDate.class),
                row.getBoolean(5)),
        parent);
  }

  /** Returns the current day of the database, in UTC. */
  static LocalDate today(SqlSession sqlSession) {
    return sqlSession.queryOne(
        "SELECT (current_timestamp AT TIME ZONE 'UTC')::date",
        row -> row.getObject(1, LocalDate.class));
  }

  boolean isMonth() {
    return part.length() == 7;
  }

  /** Returns whether all of its days are before the given one. */
  boolean isBefore(LocalDate day) {
    return !end.isAfter(day);
  }

  /** Returns the suffix of the name of a day's partition. */
  static String suffix(LocalDate day) {
    return "_" + day.toString().replace('-', '_');
  }
}
