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
 * Where ledgers may be that a server opens for others. The config of a name says where its ledger
 * is, and whoever may write the name may write that: so it could be another's ledger, or a
 * directory of the server's own machine. What is beside the names under the name itself is always
 * served.
 *
 * @param elsewhere what other places begin with; empty for any at all
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

  /** Any, for a server whose callers may do on its machine what they like. */
  public static AllowedLedgerLocations anywhere() {
    return new AllowedLedgerLocations(Optional.empty());
  }

  /** Only beside the names. */
  public static AllowedLedgerLocations besideNames() {
    return below(List.of());
  }

  /** Beside the names, and below these. */
  public static AllowedLedgerLocations below(List<String> places) {
    return new AllowedLedgerLocations(Optional.of(places));
  }

  /** The same, or any if none was named. */
  public AllowedLedgerLocations orAnywhere() {
    return equals(besideNames()) ? anywhere() : this;
  }

  boolean serves(Address address, String objects) {
    return elsewhere.isEmpty()
        || objects.equals(DefaultLocation.of(address))
        || elsewhere.get().stream().anyMatch(place -> isBelow(place, objects));
  }

  /**
   * Whether a place is below another: what is behind has neither steps up nor anything that could
   * be read as one.
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
