// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.ledger.internal.named.DefaultLocation;
import io.tidemark.ledger.internal.named.LocationPolicy;
import io.tidemark.names.Address;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.util.List;
import java.util.Optional;

/**
 * Allowed locations of the ledgers that a server opens for its callers. The config of a name tells
 * where its ledger is, and every writer of the name can change it. So it could point to the ledger
 * of another name, or to a directory of the server's own machine. The default location of a ledger,
 * beside the names and under its own name, is always allowed.
 *
 * @param elsewhere allowed prefixes of other locations; empty for any location
 */
public record AllowedLedgerLocations(Optional<List<String>> elsewhere) implements LocationPolicy {

  public AllowedLedgerLocations {
    elsewhere = elsewhere.map(List::copyOf);
    for (String each : elsewhere.orElse(List.of())) {
      if (!each.endsWith("/")) {
        throw new IllegalArgumentException(
            "'" + each + "' has to end with '/', so that it is no part of another name");
      }
    }
  }

  /**
   * Returns an instance that allows any location, for a server whose callers have full control of
   * its machine.
   */
  public static AllowedLedgerLocations anywhere() {
    return new AllowedLedgerLocations(Optional.empty());
  }

  /** Returns an instance that allows only the default locations, beside the names. */
  public static AllowedLedgerLocations besideNames() {
    return below(List.of());
  }

  /** Returns an instance that allows the default locations and those below these prefixes. */
  public static AllowedLedgerLocations below(List<String> places) {
    return new AllowedLedgerLocations(Optional.of(places));
  }

  /**
   * Returns this instance, or one that allows any location if this one allows only the defaults.
   */
  public AllowedLedgerLocations orAnywhere() {
    return equals(besideNames()) ? anywhere() : this;
  }

  boolean serves(Address address, String objects) {
    return elsewhere.isEmpty()
        || objects.equals(DefaultLocation.of(address))
        || elsewhere.get().stream().anyMatch(place -> isBelow(place, objects));
  }

  /**
   * Returns whether a location is below a prefix. The rest of it must not contain {@code ..} or
   * characters that other programs could decode to it.
   */
  public static boolean isBelow(String place, String said) {
    return said.startsWith(place)
        && !said.contains("..")
        && said.substring(place.length()).matches("[^%?#\\\\]*");
  }

  @Override
  public void requireAllowed(Address address, String objects) {
    if (!serves(address, objects)) {
      throw new ProblemException(
          Problem.of(
              403,
              "refused-place",
              "the objects of "
                  + address
                  + " are to be elsewhere than beside its name, in a place that this server doesn't"
                  + " open for others; ask who runs it to serve that place"));
    }
  }
}
