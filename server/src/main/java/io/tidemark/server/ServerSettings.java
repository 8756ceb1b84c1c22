// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.http.Limits;
import io.tidemark.server.ledgers.LedgerSettings;
import io.tidemark.server.remotes.RemotePlaces;
import io.tidemark.server.resources.Writes;
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
 * @param remotes where remotes may be
 * @param writes whether what changes something is done
 */
public record ServerSettings(
    String host,
    int port,
    Limits limits,
    AccessSettings access,
    Optional<Tls> tls,
    LedgerSettings ledgers,
    WatchSettings watching,
    RemotePlaces remotes,
    Writes writes) {

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
        WatchSettings.standard(),
        RemotePlaces.nowhere(),
        Writes.TAKEN);
  }

  public ServerSettings withHost(String other) {
    return new ServerSettings(other, port, limits, access, tls, ledgers, watching, remotes, writes);
  }

  public ServerSettings withPort(int other) {
    return new ServerSettings(host, other, limits, access, tls, ledgers, watching, remotes, writes);
  }

  public ServerSettings withLimits(Limits other) {
    return new ServerSettings(host, port, other, access, tls, ledgers, watching, remotes, writes);
  }

  public ServerSettings withAccess(AccessSettings other) {
    return new ServerSettings(host, port, limits, other, tls, ledgers, watching, remotes, writes);
  }

  public ServerSettings withTls(Tls other) {
    return new ServerSettings(
        host, port, limits, access, Optional.of(other), ledgers, watching, remotes, writes);
  }

  public ServerSettings withLedgers(LedgerSettings other) {
    return new ServerSettings(host, port, limits, access, tls, other, watching, remotes, writes);
  }

  public ServerSettings withWatching(WatchSettings other) {
    return new ServerSettings(host, port, limits, access, tls, ledgers, other, remotes, writes);
  }

  public ServerSettings withRemotes(RemotePlaces other) {
    return new ServerSettings(host, port, limits, access, tls, ledgers, watching, other, writes);
  }

  public ServerSettings withWrites(Writes other) {
    return new ServerSettings(host, port, limits, access, tls, ledgers, watching, remotes, other);
  }
}
