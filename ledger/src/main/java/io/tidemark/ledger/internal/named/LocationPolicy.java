// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import io.tidemark.names.Address;

/**
 * Where ledgers may be, for who opens them for others: whoever may write a name says where its
 * ledger is. It is asked about the very reading of a config that is followed then.
 */
@FunctionalInterface
public interface LocationPolicy {

  /**
   * Makes sure that the objects of a ledger may be somewhere, or ends with an exception.
   *
   * @param objects a path in the store that the names are in, or the location of another store
   */
  void requireAllowed(Address address, String objects);

  /** Anywhere, for who could open all places themselves. */
  static LocationPolicy allowAll() {
    return (address, objects) -> {};
  }
}
