// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.Optional;

/**
 * Verification of the objects of a ledger, on all branches.
 *
 * @param deep whether to read all files and compare their SHA-256
 * @param after cursor at which an earlier run was interrupted
 */
public record VerifyRequest(boolean deep, Optional<String> after) {

  /** Returns a request to verify everything. */
  public static VerifyRequest of(boolean deep) {
    return new VerifyRequest(deep, Optional.empty());
  }
}
