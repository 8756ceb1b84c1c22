// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.server;

import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.AccessSettings.Risk;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Who may ask a server, and how they say who they are. */
final class AccessOptions {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      defaultValue = "${env:TIDEMARK_TOKENS}",
      description = "Tokens and what they allow; see 'tidemark token'.")
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

  /** The settings with what was said here. */
  ServerSettings in(ServerSettings settings) {
    AccessSettings access = AccessSettings.none();
    access = tokens == null ? access : access.withTokens(tokens);
    access = jwt.settings().map(access::withJwt).orElse(access);
    access = access.withOrigins(Set.copyOf(origins));
    access = insecure ? access.accepting(Risk.ANYBODY_FROM_ANYWHERE) : access;
    if ((keystore == null) != (passwordFile == null)) {
      throw new ParameterException(
          spec.commandLine(), "--tls-keystore and --tls-password-file go together");
    }
    ServerSettings asked = settings.withAccess(access);
    return keystore == null || passwordFile == null
        ? asked
        : asked.withTls(new ServerSettings.Tls(keystore, passwordFile));
  }
}
