// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whose JWT are believed.
 *
 * @param keys where the keys are that they are signed with
 * @param issuer what {@code iss} has to be
 * @param audience what {@code aud} has to contain, so that a token for another service is none here
 * @param algorithms with which they may be signed: those of {@link #ALGORITHMS} alone. There is
 *     none with a shared secret, so nobody can pass a public key off as one
 */
public record JwtSettings(Keys keys, String issuer, String audience, Set<String> algorithms) {

  /** What {@code alg} can be. */
  public static final List<String> ALGORITHMS =
      List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  /** Where keys are. */
  public sealed interface Keys {}

  /** A set of keys that is fetched, and again when a token names one that isn't in it. */
  public record KeySetUrl(URI url) implements Keys {

    public KeySetUrl {
      String scheme = String.valueOf(url.getScheme());
      boolean plain = scheme.equals("http") && isLoopback(String.valueOf(url.getHost()));
      if (url.getHost() == null || !(scheme.equals("https") || plain)) {
        throw new InvalidAccessException(
            "the keys of JWT can't be fetched from %s; give an https URL, or http on this machine"
                .formatted(url));
      }
    }

    private static boolean isLoopback(String host) {
      try {
        return InetAddress.getByName(host).isLoopbackAddress();
      } catch (UnknownHostException e) {
        return false;
      }
    }
  }

  /** A file with a set of keys (JWKS), or with one public key (PEM). */
  public record KeyFile(Path file) implements Keys {}

  public JwtSettings {
    algorithms = Set.copyOf(algorithms);
    Set<String> unknown = new TreeSet<>(algorithms);
    unknown.removeAll(ALGORITHMS);
    if (algorithms.isEmpty() || !unknown.isEmpty()) {
      throw new InvalidAccessException(
          "JWT can't be signed with %s; name some of %s"
              .formatted(
                  unknown.isEmpty() ? "no algorithm" : String.join(", ", unknown),
                  String.join(", ", ALGORITHMS)));
    }
    if (issuer.isBlank() || audience.isBlank()) {
      throw new InvalidAccessException(
          "JWT are believed from one issuer and for one audience; name both");
    }
  }
}
