// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * How callers say who they are. With neither a file of tokens nor JWT nobody is asked.
 *
 * @param tokens the file that {@code tidemark token} writes
 * @param jwt whose JWT are believed
 * @param accepted risks that somebody has decided to take
 */
public record AccessSettings(Optional<Path> tokens, Optional<JwtSettings> jwt, Set<Risk> accepted) {

  /** What is refused unless somebody decides to take it. */
  public enum Risk {
    /** To be reached from other machines without asking who calls. */
    ANYBODY_FROM_ANYWHERE,
    /** A file of tokens that other users of the machine may read or write. */
    SHARED_TOKEN_FILE
  }

  public AccessSettings {
    accepted = Set.copyOf(accepted);
  }

  /** Asks nobody. */
  public static AccessSettings none() {
    return new AccessSettings(Optional.empty(), Optional.empty(), Set.of());
  }

  public AccessSettings withTokens(Path file) {
    return new AccessSettings(Optional.of(file), jwt, accepted);
  }

  public AccessSettings withJwt(JwtSettings settings) {
    return new AccessSettings(tokens, Optional.of(settings), accepted);
  }

  public AccessSettings accepting(Risk risk) {
    Set<Risk> more = EnumSet.of(risk);
    more.addAll(accepted);
    return new AccessSettings(tokens, jwt, more);
  }
}
