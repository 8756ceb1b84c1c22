// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How callers say who they are. With neither a file of tokens nor JWT nobody is asked.
 *
 * @param tokens the file that {@code tidemark token} writes
 * @param jwt whose JWT are believed
 * @param accepted risks that somebody has decided to take
 * @param origins whose pages a browser may let read answers and write
 */
public record AccessSettings(
    Optional<Path> tokens, Optional<JwtSettings> jwt, Set<Risk> accepted, Set<Origin> origins) {

  /** What is refused unless somebody decides to take it. */
  public enum Risk {
    /** To be reached from other machines without asking who calls. */
    ANYBODY_FROM_ANYWHERE,
    /** A file of tokens that other users of the machine may read or write. */
    SHARED_TOKEN_FILE
  }

  public AccessSettings {
    accepted = Set.copyOf(accepted);
    origins = Set.copyOf(origins);
  }

  /** Asks nobody. */
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
   * Returns these settings with origins, each like {@code https://app.example}.
   *
   * @throws InvalidAccessException if one isn't
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
