// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.resources;

import io.tidemark.client.ServerConnection;
import io.tidemark.features.Features;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.metrics.Meters;
import java.util.Optional;

/**
 * What a server serves. Whoever has opened it closes it, after the server.
 *
 * @param names of ledgers and graph sources
 * @param objects where ledgers and events are, unless a ledger's record says otherwise; empty when
 *     names are in no object store and no other was named
 * @param features in PostgreSQL, if there is one
 * @param upstream the other server that the names are of, if they are: its remotes are served, and
 *     its features if there are no own ones
 * @param meters what is counted of it, from before it was opened
 */
public record ServerResources(
    NameService names,
    Optional<ObjectStore> objects,
    Optional<Features> features,
    Optional<ServerConnection> upstream,
    Meters meters) {

  public ServerResources(
      NameService names, Optional<ObjectStore> objects, Optional<Features> features) {
    this(names, objects, features, Optional.empty(), new Meters());
  }

  /** Names and what is beside them in the same store. */
  public static ServerResources of(NameService names) {
    return new ServerResources(names, names.objects(), Optional.empty());
  }

  /** The same before another server. */
  public ServerResources withUpstream(ServerConnection other) {
    return new ServerResources(names, objects, features, Optional.of(other), meters);
  }
}
