// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.ledger.Ledger;
import io.tidemark.names.Address;
import java.util.function.Function;

/**
 * Address of a ledger with the cache that opens it and the signal that ends its operations.
 *
 * @param cancellation ends operations of this use
 */
record LedgerUse(LedgerCache cache, Address address, Cancellation cancellation) {

  LedgerUse until(Cancellation other) {
    return new LedgerUse(cache, address, other);
  }

  /** Applies a function to the open ledger. */
  <A> A with(Function<Ledger, A> work) {
    return cache.with(address, work);
  }

  /** Opens the ledger for a result that is read later; the caller closes it. */
  LedgerCache.LedgerHandle lend() {
    return cache.lend(address);
  }
}
