// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.AccessSettings.Risk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of a server's access control and authentication. */
final class AccessOptions {

  /** Default token file, of the command that creates tokens and of a server. */
  static final Path USUAL_TOKENS = Path.of("./tidemark-tokens");

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      defaultValue = "${env:TIDEMARK_TOKENS}",
      description = {
        "Tokens and what they allow; see 'tidemark token'.",
        "Default: $TIDEMARK_TOKENS, else ./tidemark-tokens if it is",
        "there and neither JWT nor --insecure is given"
      })
  private @Nullable Path tokens;

  @Option(names = "--insecure", description = "Listen on any --host without asking who calls.")
  private boolean insecure;

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      description = "Serve HTTPS with the key in this PKCS #12 file.")
  private @Nullable Path keystore;

  @Option(
      names = "--tls-password-file",
      paramLabel = "FILE",
      description = "Its first line opens the keystore.")
  private @Nullable Path passwordFile;

  @Option(
      names = "--cors",
      paramLabel = "ORIGIN",
      split = ",",
      description = {
        "Let pages of this origin call the server, such as",
        "https://app.example (CORS). Default: none"
      })
  private List<String> origins = List.of();

  @Mixin private JwtOptions jwt;

  /**
   * Returns the token file that was named, or the default one unless callers authenticate
   * otherwise.
   */
  private Optional<Path> tokens(AccessSettings access) {
    boolean otherwise = insecure || access.jwt().isPresent();
    return Optional.ofNullable(tokens)
        .or(() -> Optional.of(USUAL_TOKENS).filter(file -> !otherwise && Files.exists(file)));
  }

  /** Returns a short text on how callers authenticate with these settings. */
  static String callers(AccessSettings access) {
    List<String> known = new ArrayList<>();
    access.tokens().ifPresent(file -> known.add("by the tokens in " + file));
    access.jwt().ifPresent(settings -> known.add("by JWT"));
    boolean anybody = access.accepted().contains(Risk.ANYBODY_FROM_ANYWHERE);
    return known.isEmpty()
        ? anybody ? "anybody, unasked (--insecure)" : "anybody on this machine, unasked"
        : String.join(", ", known);
  }

  /** Returns the settings with these options applied. */
  ServerSettings in(ServerSettings settings) {
    AccessSettings access = AccessSettings.none();
    access = jwt.settings().map(access::withJwt).orElse(access);
    access = tokens(access).map(access::withTokens).orElse(access);
    access = access.withOrigins(Set.copyOf(origins));
    access = insecure ? access.withAcceptedRisk(Risk.ANYBODY_FROM_ANYWHERE) : access;
    if ((keystore == null) != (passwordFile == null)) {
      throw new ParameterException(
          spec.commandLine(), "--tls-keystore and --tls-password-file go together");
    }
    ServerSettings asked = settings.withAccess(access);
    return keystore == null || passwordFile == null
        ? asked
        : asked.withTls(Optional.of(new ServerSettings.Tls(keystore, passwordFile)));
  }
}
