// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.http.Limits;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a server listens, to whom, and for how much.
 *
 * @param host the address to bind; any but loopback takes callers who say who they are
 * @param port 0 for any that is free
 * @param access how callers say who they are
 * @param tls empty for plain HTTP
 */
public record ServerSettings(
    String host, int port, Limits limits, AccessSettings access, Optional<Tls> tls) {

  /**
   * What the server proves itself with.
   *
   * @param keystore in PKCS #12, with its key and certificates
   * @param passwordFile whose first line opens the keystore
   */
  public record Tls(Path keystore, Path passwordFile) {}

  public static ServerSettings standard() {
    return new ServerSettings(
        "127.0.0.1", 7700, Limits.standard(), AccessSettings.none(), Optional.empty());
  }

  public ServerSettings withHost(String other) {
    return new ServerSettings(other, port, limits, access, tls);
  }

  public ServerSettings withPort(int other) {
    return new ServerSettings(host, other, limits, access, tls);
  }

  public ServerSettings withLimits(Limits other) {
    return new ServerSettings(host, port, other, access, tls);
  }

  public ServerSettings withAccess(AccessSettings other) {
    return new ServerSettings(host, port, limits, other, tls);
  }

  public ServerSettings withTls(Tls other) {
    return new ServerSettings(host, port, limits, access, Optional.of(other));
  }
}
