// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Settings of authentication. With neither a token file nor JWT, callers aren't authenticated.
 *
 * @param tokens the file that {@code tidemark token} writes
 * @param jwt trusted issuer and keys of JWT; empty to accept none
 * @param accepted risks that the operator has accepted
 * @param origins origins whose pages may read answers and write, in a browser
 */
public record AccessSettings(
    Optional<Path> tokens, Optional<JwtSettings> jwt, Set<Risk> accepted, Set<Origin> origins) {

  /** Risk that the server refuses to take unless the operator accepts it. */
  public enum Risk {
    /** Serving other machines without authentication. */
    ANYBODY_FROM_ANYWHERE,
    /** A token file that other users of the machine may read or write. */
    SHARED_TOKEN_FILE
  }

  public AccessSettings {
    accepted = Set.copyOf(accepted);
    origins = Set.copyOf(origins);
  }

  /** Returns settings without authentication. */
  public static AccessSettings none() {
    return new AccessSettings(Optional.empty(), Optional.empty(), Set.of(), Set.of());
  }

  public AccessSettings withTokens(Path file) {
    return new AccessSettings(Optional.of(file), jwt, accepted, origins);
  }

  public AccessSettings withJwt(JwtSettings settings) {
    return new AccessSettings(tokens, Optional.of(settings), accepted, origins);
  }

  public AccessSettings withAcceptedRisk(Risk risk) {
    Set<Risk> more = EnumSet.of(risk);
    more.addAll(accepted);
    return new AccessSettings(tokens, jwt, more, origins);
  }

  /**
   * Returns a copy of these settings with origins such as {@code https://app.example}.
   *
   * @throws InvalidAccessException if a text isn't an origin
   */
  public AccessSettings withOrigins(Set<String> other) {
    return new AccessSettings(
        tokens,
        jwt,
        accepted,
        other.stream().map(AccessSettings::origin).collect(Collectors.toSet()));
  }

  private static Origin origin(String text) {
    return Origin.parse(text)
        .orElseThrow(
            () ->
                new InvalidAccessException(
                    "an origin is like https://app.example or http://localhost:3000, without a"
                        + " path, got "
                        + text));
  }
}
