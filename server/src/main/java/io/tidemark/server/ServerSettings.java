// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.http.Limits;
import io.tidemark.server.ledgers.LedgerSettings;
import io.tidemark.server.watch.WatchSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a server listens, to whom, and for how much.
 *
 * @param host the address to bind; any but loopback takes callers who say who they are
 * @param port 0 for any that is free
 * @param access how callers say who they are
 * @param tls empty for plain HTTP
 * @param ledgers how ledgers are used
 * @param watching how watchers are served
 */
public record ServerSettings(
    String host,
    int port,
    Limits limits,
    AccessSettings access,
    Optional<Tls> tls,
    LedgerSettings ledgers,
    WatchSettings watching) {

  /**
   * What the server proves itself with.
   *
   * @param keystore in PKCS #12, with its key and certificates
   * @param passwordFile whose first line opens the keystore
   */
  public record Tls(Path keystore, Path passwordFile) {}

  public static ServerSettings standard() {
    return new ServerSettings(
        "127.0.0.1",
        7700,
        Limits.standard(),
        AccessSettings.none(),
        Optional.empty(),
        LedgerSettings.standard(),
        WatchSettings.standard());
  }

  public ServerSettings withHost(String other) {
    return new ServerSettings(other, port, limits, access, tls, ledgers, watching);
  }

  public ServerSettings withPort(int other) {
    return new ServerSettings(host, other, limits, access, tls, ledgers, watching);
  }

  public ServerSettings withLimits(Limits other) {
    return new ServerSettings(host, port, other, access, tls, ledgers, watching);
  }

  public ServerSettings withAccess(AccessSettings other) {
    return new ServerSettings(host, port, limits, other, tls, ledgers, watching);
  }

  public ServerSettings withTls(Tls other) {
    return new ServerSettings(host, port, limits, access, Optional.of(other), ledgers, watching);
  }

  public ServerSettings withLedgers(LedgerSettings other) {
    return new ServerSettings(host, port, limits, access, tls, other, watching);
  }

  public ServerSettings withWatching(WatchSettings other) {
    return new ServerSettings(host, port, limits, access, tls, ledgers, other);
  }
}
