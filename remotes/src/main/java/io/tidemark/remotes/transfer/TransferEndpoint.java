// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes.transfer;

import io.tidemark.ledger.internal.named.LocationPolicy;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RetractedException;
import java.util.Optional;

/**
 * An address in a store: where something is moved from or to.
 *
 * @param places locations where its ledger may be
 */
public record TransferEndpoint(NameService names, Address address, LocationPolicy places) {

  NamedLedgers ledgers() {
    return new NamedLedgers(names, places);
  }

  /** The record; empty when there is none. */
  Optional<NameRecord> record() {
    Optional<NameRecord> found = names.find(address);
    if (found.filter(record -> record.meta().retracted()).isPresent()) {
      throw new RetractedException(
          address + " in " + names.location() + " is retracted; restore it to use it");
    }
    return found;
  }
}
