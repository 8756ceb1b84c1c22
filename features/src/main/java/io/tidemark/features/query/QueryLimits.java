// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import io.tidemark.features.model.InvalidRequestException;
import java.util.List;

/** Limits that keep queries within the size of one PostgreSQL statement. */
final class QueryLimits {

  private static final int DEEPEST = 50;
  private static final int MOST_PARTS = 10_000;

  private int parts;

  private QueryLimits() {}

  static void check(FeatureFilter featureFilter) {
    new QueryLimits().filter(featureFilter, 0);
  }

  static void check(Area area) {
    new QueryLimits().area(area, 0);
  }

  private void filter(FeatureFilter featureFilter, int depth) {
    count(depth);
    if (featureFilter instanceof FeatureFilter.Not not) {
      filter(not.part(), depth + 1);
    } else if (featureFilter instanceof FeatureFilter.All all) {
      filters(all.parts(), depth);
    } else if (featureFilter instanceof FeatureFilter.Any any) {
      filters(any.parts(), depth);
    }
  }

  private void filters(List<FeatureFilter> filters, int depth) {
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
