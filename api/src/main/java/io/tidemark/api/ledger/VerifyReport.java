// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.List;
import java.util.Optional;

/**
 * Result of a verification; see {@link VerifyProgress} for the counts.
 *
 * @param damagedObjects the first 1,000 damaged objects
 * @param complete whether the run came to its end
 * @param ok whether nothing is damaged
 */
public record VerifyReport(
    long commits,
    long ofCommits,
    long files,
    long snapshots,
    long bytes,
    long damaged,
    Optional<String> cursor,
    List<Damage> damagedObjects,
    boolean deep,
    boolean complete,
    boolean ok) {

  public VerifyReport {
    damagedObjects = List.copyOf(damagedObjects);
  }
}
