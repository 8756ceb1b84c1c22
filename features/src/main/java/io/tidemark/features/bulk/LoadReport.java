// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.model.Txn;
import java.time.Duration;
import java.util.List;

/**
 * What a load has done.
 *
 * @param collection the collection
 * @param txn the transaction that all of it belongs to
 * @param loaded features that are there now because of it
 * @param replaced features of the input that others of it with the same id have replaced
 * @param skipped invalid features that were left out
 * @param problems where the first of these are, and why they are invalid
 * @param took how long it took
 */
public record LoadReport(
    String collection,
    Txn txn,
    long loaded,
    long replaced,
    long skipped,
    List<String> problems,
    Duration took) {

  public LoadReport {
    problems = List.copyOf(problems);
  }
}
