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
 * Where remotes may be that a server goes to. It goes there with its own credentials, and shows its
 * own token to another server; so that is for who starts it to say, and not for callers, whatever
 * they are allowed.
 *
 * @param places each a location, or what locations begin with if it ends with a slash; empty for
 *     any at all
 */
public record AllowedRemoteLocations(Optional<List<String>> places) {

  private static final Pattern ABSOLUTE = Pattern.compile("/.*|[A-Za-z][A-Za-z0-9+.-]+:.*");

  /** What is opened as a document that says where the names are, and so could lead anywhere. */
  private static final Pattern DOCUMENT = Pattern.compile("(?i).*\\.(json|jsonld)/?");

  public AllowedRemoteLocations {
    places = places.map(List::copyOf);
  }

  /** Any, for a server whose callers may do on its machine what they like. */
  public static AllowedRemoteLocations anywhere() {
    return new AllowedRemoteLocations(Optional.empty());
  }

  public static AllowedRemoteLocations nowhere() {
    return at(List.of());
  }

  public static AllowedRemoteLocations at(List<String> places) {
    return new AllowedRemoteLocations(Optional.of(places));
  }

  /** The same, or any if none was named. */
  public AllowedRemoteLocations orAnywhere() {
    return equals(nowhere()) ? anywhere() : this;
  }

  /** Ends a request that would lead the server to where it doesn't go. */
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
