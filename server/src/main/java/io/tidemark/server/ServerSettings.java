// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.http.Limits;
import io.tidemark.server.ledgers.LedgerSettings;
import io.tidemark.server.remotes.AllowedRemoteLocations;
import io.tidemark.server.resources.WritePolicy;
import io.tidemark.server.watch.WatchSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of a server: its address, authentication, TLS and limits.
 *
 * @param host the address to bind; any but loopback requires callers to authenticate
 * @param port 0 for any that is free
 * @param access how callers authenticate
 * @param tls empty for plain HTTP
 * @param ledgers settings of ledgers
 * @param watching settings of watches
 * @param remotes allowed locations of remotes
 * @param writes whether requests that change something are carried out
 */
@RecordBuilder
public record ServerSettings(
    String host,
    int port,
    Limits limits,
    AccessSettings access,
    Optional<Tls> tls,
    LedgerSettings ledgers,
    WatchSettings watching,
    AllowedRemoteLocations remotes,
    WritePolicy writes)
    implements ServerSettingsBuilder.With {

  /**
   * Keystore with the server's TLS key and certificates.
   *
   * @param keystore in PKCS #12, with its key and certificates
   * @param passwordFile file whose first line is the password of the keystore
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
        AllowedRemoteLocations.nowhere(),
        WritePolicy.TAKEN);
  }
}
