// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import io.tidemark.names.Address;
import io.tidemark.names.InvalidAddressException;
import java.util.Optional;

/**
 * Location of a ledger's objects unless its record gives another one: {@code ledgers/<name>/} in
 * the store that the names are in.
 *
 * @param name of the ledger
 * @param path of an object below its place
 */
public record DefaultLocation(String name, String path) {

  /** Prefix of all default locations. */
  public static final String LEDGERS = "ledgers/";

  private static final String SLASH = "/";
  private static final String ESCAPED_SLASH = "%2F";

  /** Returns the location of a ledger. A name is one step of it, so no ledger is inside another. */
  public static String of(Address address) {
    return LEDGERS + address.name().replace(SLASH, ESCAPED_SLASH) + SLASH;
  }

  /** Returns the ledger and the path that a key belongs to; empty if it belongs to none. */
  public static Optional<DefaultLocation> parse(String key) {
    int end = key.indexOf('/', LEDGERS.length());
    if (!key.startsWith(LEDGERS) || end < 0) {
      return Optional.empty();
    }
    String step = key.substring(LEDGERS.length(), end);
    try {
      Address address = new Address(step.replace(ESCAPED_SLASH, SLASH), Address.MAIN);
      // A name with its slashes written otherwise has no ledger here.
      return of(address).equals(LEDGERS + step + SLASH)
          ? Optional.of(new DefaultLocation(address.name(), key.substring(end + 1)))
          : Optional.empty();
    } catch (InvalidAddressException e) {
      return Optional.empty();
    }
  }
}
