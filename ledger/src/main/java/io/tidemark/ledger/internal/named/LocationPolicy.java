// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import io.tidemark.names.Address;

/**
 * Policy on the locations of ledgers, for a process that opens ledgers on behalf of its callers: a
 * caller that may write a name decides where its ledger is. The policy is asked about the very
 * reading of a config that is followed then.
 */
@FunctionalInterface
public interface LocationPolicy {

  /**
   * Makes sure that the objects of a ledger may be somewhere, or ends with an exception.
   *
   * @param objects a path in the store that the names are in, or the location of another store
   */
  void requireAllowed(Address address, String objects);

  /** Returns a policy that allows any location, for callers that could open all of them. */
  static LocationPolicy allowAll() {
    return (address, objects) -> {};
  }
}
