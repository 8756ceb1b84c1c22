// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.bulk.input.InvalidInputException;
import io.tidemark.features.geojson.InvalidFeatureException;
import java.util.ArrayList;
import java.util.List;

/**
 * Counters of the features that a load takes and of those it skips. Safe for use by several
 * threads.
 */
final class LoadCounts {

  private static final int MOST_TOLD = 1_000;

  private final long mostInvalid;
  private final List<String> problems = new ArrayList<>();
  private long taken;
  private long invalid;

  LoadCounts(long mostInvalid) {
    this.mostInvalid = mostInvalid;
  }

  /** Forgets all, since it begins anew. */
  synchronized void clear() {
    taken = 0;
    invalid = 0;
    problems.clear();
  }

  synchronized void addLoaded(int rows) {
    taken += rows;
  }

  /**
   * Skips a feature.
   *
   * @throws InvalidInputException if the maximum of skipped features is exceeded
   */
  synchronized void skip(String place, InvalidFeatureException why) {
    invalid++;
    if (problems.size() < MOST_TOLD) {
      problems.add(place + ": " + why.getMessage());
    }
    if (invalid > mostInvalid) {
      throw new InvalidInputException(
          ("%s: %s%s; nothing was loaded, correct it or let so many invalid ones be left out"
                  + " (--skip-invalid, over HTTP skipInvalid)")
              .formatted(
                  place,
                  why.getMessage(),
                  mostInvalid == 0 ? "" : " (the " + invalid + ". invalid feature)"),
          why);
    }
  }

  synchronized long taken() {
    return taken;
  }

  synchronized long invalid() {
    return invalid;
  }

  synchronized List<String> problems() {
    return List.copyOf(problems);
  }
}
