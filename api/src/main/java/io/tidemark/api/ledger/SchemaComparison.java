// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.List;

/**
 * Comparison of declared types with those of a ledger.
 *
 * @param status {@code ok}, or {@code mismatch} if a type differs
 * @param newTypes declared types that the ledger doesn't have
 */
public record SchemaComparison(String status, List<TypeDifference> diffs, List<String> newTypes) {

  public SchemaComparison {
    diffs = List.copyOf(diffs);
    newTypes = List.copyOf(newTypes);
  }

  /** Returns whether no type differs. */
  public boolean matches() {
    return diffs.isEmpty();
  }
}
