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
 * Settings for the JWT that the server accepts.
 *
 * @param keys location of the public keys
 * @param issuer required value of {@code iss}
 * @param audience required member of {@code aud}, so that a token for another service is refused
 * @param algorithms allowed signature algorithms, a subset of {@link #ALGORITHMS}. None of them
 *     uses a shared secret, so a public key can't be passed off as one
 */
public record JwtSettings(Keys keys, String issuer, String audience, Set<String> algorithms) {

  /** Supported values of {@code alg}. */
  public static final List<String> ALGORITHMS =
      List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  /** Location of the public keys. */
  public sealed interface Keys {}

  /** Key set at a URL; it is fetched again when a token names a key that it doesn't have. */
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

  /** File with a key set (JWKS) or one public key (PEM). */
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
