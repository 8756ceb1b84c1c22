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
        AllowedRemoteLocations.nowhere(),
        WritePolicy.TAKEN);
  }
}
