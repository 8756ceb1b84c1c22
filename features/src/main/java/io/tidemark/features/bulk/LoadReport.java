// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.model.Txn;
import java.time.Duration;
import java.util.List;

/**
 * Result of a load.
 *
 * @param collection the collection
 * @param txn the transaction that the whole load belongs to
 * @param loaded features that exist now because of the load
 * @param replaced features of the input that were replaced by later ones with the same id
 * @param skipped invalid features that were skipped
 * @param problems positions of the first of these, and why they are invalid
 * @param took duration of the load
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
