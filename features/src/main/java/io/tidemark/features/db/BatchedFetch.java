// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An answer that is fetched in parts. A part is to fit into memory whatever its rows hold, and the
 * driver fetches so many rows, however large they are. So a row counts by its size: the server
 * sends a large one with as many empty ones behind it as small ones would have had room in its
 * place. A part has no more than fits then, and its last row.
 *
 * @param rows most rows of a part
 * @param columns what is wanted of each row of the answer; values that the server computes, since a
 *     stored one may be far larger than the room it takes there
 */
record BatchedFetch(int rows, List<String> columns) {

  /** What a part may hold. */
  static final int MOST_BYTES = 8 << 20;

  BatchedFetch {
    columns = List.copyOf(columns);
  }

  /** Which column is 0, and the others of the answer's, unless the row is an empty one. */
  int mark() {
    return columns.size() + 1;
  }

  /**
   * The query to be sent.
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
