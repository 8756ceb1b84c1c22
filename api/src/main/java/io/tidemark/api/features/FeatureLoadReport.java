// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import java.util.List;

/**
 * Result of a load.
 *
 * @param collection id of the collection
 * @param txn the transaction
 * @param loaded number of features that were written
 * @param replaced number of features that later ones with the same id replaced
 * @param skipped number of invalid features that were left out
 * @param seconds time that it took
 * @param problems places and reasons of the first invalid features
 */
public record FeatureLoadReport(
    String collection,
    long txn,
    long loaded,
    long replaced,
    long skipped,
    double seconds,
    List<String> problems) {

  public FeatureLoadReport {
    problems = List.copyOf(problems);
  }
}
