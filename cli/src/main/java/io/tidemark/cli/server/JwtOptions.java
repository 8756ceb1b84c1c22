// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.server.access.JwtSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of the JWT that a server accepts. */
final class JwtOptions {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--jwt-keys",
      paramLabel = "URL|FILE",
      description = {
        "Believe JWT signed with these keys: an https URL or a",
        "file of a JWKS, or a file with a public key (PEM)."
      })
  private @Nullable String keys;

  @Option(names = "--jwt-issuer", paramLabel = "ISS", description = "Who has to have issued them.")
  private @Nullable String issuer;

  @Option(names = "--jwt-audience", paramLabel = "AUD", description = "Whom they have to be for.")
  private @Nullable String audience;

  @Option(
      names = "--jwt-algorithms",
      split = ",",
      paramLabel = "ALG",
      description = "How they may be signed. Default: RS256,ES256")
  private List<String> algorithms = List.of("RS256", "ES256");

  /** Returns the settings; empty when no JWT is accepted. */
  Optional<JwtSettings> settings() {
    if (keys == null && issuer == null && audience == null) {
      return Optional.empty();
    }
    if (keys == null || issuer == null || audience == null) {
      throw new ParameterException(
          spec.commandLine(), "--jwt-keys, --jwt-issuer and --jwt-audience go together");
    }
    JwtSettings.Keys where =
        keys.matches("https?://.*")
            ? new JwtSettings.KeySetUrl(URI.create(keys))
            : new JwtSettings.KeyFile(Path.of(keys));
    return Optional.of(new JwtSettings(where, issuer, audience, Set.copyOf(algorithms)));
  }
}
