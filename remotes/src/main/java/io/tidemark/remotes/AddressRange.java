// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.names.Address;
import java.util.Optional;

/**
 * Some of many addresses, in the order of their text.
 *
 * @param after those behind this one; empty for the first
 * @param limit how many of them at most
 */
public record AddressRange(Optional<Address> after, int limit) {

  public AddressRange {
    if (limit < 1) {
      throw new IllegalArgumentException("a span has at least one address");
    }
  }

  /** Returns the range of all addresses. */
  public static AddressRange all() {
    return new AddressRange(Optional.empty(), Integer.MAX_VALUE);
  }

  boolean isAfter(Address address) {
    return after.map(last -> address.compareTo(last) > 0).orElse(true);
  }
}
