// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.remotes;

import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.ledgers.AllowedLedgerLocations;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Allowed locations of the remotes of a server. The server connects to remotes with its own
 * credentials, and sends its own token to other servers. So its operator decides about locations,
 * not its callers, whatever their grants.
 *
 * @param places locations, or prefixes of locations if they end with a slash; empty for any
 */
public record AllowedRemoteLocations(Optional<List<String>> places) {

  private static final Pattern ABSOLUTE = Pattern.compile("/.*|[A-Za-z][A-Za-z0-9+.-]+:.*");

  /** Locations of documents that tell where the names are, which could lead to any place. */
  private static final Pattern DOCUMENT = Pattern.compile("(?i).*\\.(json|jsonld)/?");

  public AllowedRemoteLocations {
    places = places.map(List::copyOf);
  }

  /**
   * Returns an instance that allows any location, for a server whose callers have full control of
   * its machine.
   */
  public static AllowedRemoteLocations anywhere() {
    return new AllowedRemoteLocations(Optional.empty());
  }

  public static AllowedRemoteLocations nowhere() {
    return at(List.of());
  }

  public static AllowedRemoteLocations at(List<String> places) {
    return new AllowedRemoteLocations(Optional.of(places));
  }

  /** Returns this instance, or one that allows any location if this one allows none. */
  public AllowedRemoteLocations orAnywhere() {
    return equals(nowhere()) ? anywhere() : this;
  }

  /** Requires a location to be allowed. */
  void require(String location) {
    if (!ABSOLUTE.matcher(location).matches()) {
      throw HttpRequestContext.invalid(
          "a remote of a server is a path from the root of its machine, s3://bucket/prefix or"
              + " https://host, unlike \""
              + location
              + "\"");
    }
    if (places.isPresent() && places.get().stream().noneMatch(place -> covers(place, location))) {
      throw new ProblemException(
          Problem.of(
              403,
              "refused-place",
              "this server goes to no remote that is there; ask who runs it to allow the place with"
                  + " --remotes-at"));
    }
  }

  private static boolean covers(String place, String location) {
    return place.equals(location)
        || (place.endsWith("/")
            && !DOCUMENT.matcher(location).matches()
            && AllowedLedgerLocations.isBelow(place, location + "/"));
  }
}
