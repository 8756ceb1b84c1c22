// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import io.tidemark.features.model.InvalidRequestException;
import java.util.List;

/** Keeps questions within what PostgreSQL can be asked in one statement. */
final class Limits {

  private static final int DEEPEST = 50;
  private static final int MOST_PARTS = 10_000;

  private int parts;

  private Limits() {}

  static void check(Filter filter) {
    new Limits().filter(filter, 0);
  }

  static void check(Area area) {
    new Limits().area(area, 0);
  }

  private void filter(Filter filter, int depth) {
    count(depth);
    if (filter instanceof Filter.Not not) {
      filter(not.part(), depth + 1);
    } else if (filter instanceof Filter.All all) {
      filters(all.parts(), depth);
    } else if (filter instanceof Filter.Any any) {
      filters(any.parts(), depth);
    }
  }

  private void filters(List<Filter> filters, int depth) {
    filters.forEach(part -> filter(part, depth + 1));
  }

  private void area(Area area, int depth) {
    count(depth);
    if (area instanceof Area.Not not) {
      area(not.part(), depth + 1);
    } else if (area instanceof Area.All all) {
      all.parts().forEach(part -> area(part, depth + 1));
    } else if (area instanceof Area.Any any) {
      any.parts().forEach(part -> area(part, depth + 1));
    }
  }

  private void count(int depth) {
    if (depth > DEEPEST || ++parts > MOST_PARTS) {
      throw new InvalidRequestException(
          "a condition of more than %d parts, or deeper than %d; ask for less at once"
              .formatted(MOST_PARTS, DEEPEST));
    }
  }
}
