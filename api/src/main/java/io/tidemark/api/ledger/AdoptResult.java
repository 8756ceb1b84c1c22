// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.List;
import java.util.Optional;

/**
 * A ledger that existed and was given a name.
 *
 * @param storageUri location of its objects
 * @param headCommitId newest commit; empty if there is none
 * @param branches addresses of its other branches
 */
public record AdoptResult(
    String ledger,
    String storageUri,
    boolean initialized,
    Optional<Long> headCommitId,
    List<String> branches) {

  public AdoptResult {
    branches = List.copyOf(branches);
  }
}
