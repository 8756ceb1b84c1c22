// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An answer that is fetched in parts, each of which must fit into memory. The driver fetches a
 * fixed number of rows at a time, however large they are. So a row counts by its size: the server
 * sends a large row followed by as many empty ones as small rows would have fitted in its place. A
 * part then exceeds its size by at most its last row.
 *
 * @param rows maximum number of rows of a part
 * @param columns the columns wanted of each row of the answer; values that the server computes,
 *     since a stored one may be far larger than the room it takes there
 */
record BatchedFetch(int rows, List<String> columns) {

  /** Maximum size of a part, in bytes. */
  static final int MOST_BYTES = 8 << 20;

  BatchedFetch {
    columns = List.copyOf(columns);
  }

  /**
   * Returns the position of the mark column, which is 0 in a row of the answer and greater in an
   * empty one.
   */
  int mark() {
    return columns.size() + 1;
  }

  /**
   * Returns the query to be sent.
   *
   * @param answer the query that is asked
   */
  String of(String answer) {
    // OFFSET 0 has each value computed once.
    return ("SELECT %s, part FROM (SELECT *, generate_series(0, (%s) / %d) AS part"
            + " FROM (SELECT %s FROM (%s) AS answer OFFSET 0) AS wanted) AS parts")
        .formatted(
            each(", ", "CASE WHEN part = 0 THEN c%d END"),
            each(" + ", "coalesce(pg_column_size(c%d), 0)"),
            Math.max(1, MOST_BYTES / rows),
            IntStream.rangeClosed(1, columns.size())
                .mapToObj(n -> columns.get(n - 1) + " AS c" + n)
                .collect(Collectors.joining(", ")),
            answer);
  }

  private String each(String between, String expression) {
    return IntStream.rangeClosed(1, columns.size())
        .mapToObj(expression::formatted)
        .collect(Collectors.joining(between));
  }
}
