// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.CorruptLedgerException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * Location and condition of a ledger.
 *
 * @param head the newest commit; empty when there is none
 * @param location location of its objects
 * @param indexWarning the problem with its indices, if there is one; reads are correct either way,
 *     only slower
 * @param misnamed the commit that the nameservice takes for the newest, if it isn't
 */
public record LedgerInfo(
    Optional<Long> head,
    String location,
    String engineVersion,
    Optional<String> indexWarning,
    OptionalLong misnamed) {

  static LedgerInfo of(Ledger.LedgerComponents ledgerComponents, IndexMaintenance indices) {
    long head = ledgerComponents.heads().refresh().head().commitId();
    String location = ledgerComponents.objects().location();
    return new LedgerInfo(
        head == 0 ? Optional.empty() : Optional.of(head),
        location.endsWith("/") ? location.substring(0, location.length() - 1) : location,
        FormatVersion.VERSION,
        warning(indices),
        indices.mismatchedName(head));
  }

  /**
   * Returns the warning about the indices; also if the list of types is missing, without which
   * their condition is unknown.
   */
  private static Optional<String> warning(IndexMaintenance indices) {
    try {
      SortedSet<TypeId> broken = indices.verify(IndexMaintenance.Depth.NEWEST).broken();
      return broken.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "index lag detected for "
                  + broken.stream().map(TypeId::toString).collect(Collectors.joining(", "))
                  + "; repair the index");
    } catch (CorruptLedgerException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }
}
