// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.resources;

import io.tidemark.client.ServerConnection;
import io.tidemark.features.Features;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.metrics.Meters;
import java.util.Optional;

/**
 * Resources that a server serves. The code that opened them closes them, after the server.
 *
 * @param names records of ledgers and graph sources
 * @param objects store of ledgers and events, unless the record of a ledger gives another location;
 *     empty if names are in no object store and no other was given
 * @param features features in PostgreSQL, if there are any
 * @param upstream other server that holds the names, if there is one: its remotes are served, and
 *     its features unless there are own ones
 * @param meters metrics of the server, which exist before it is opened
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

  /** Returns names with the objects in the same store. */
  public static ServerResources of(NameService names) {
    return new ServerResources(names, names.objects(), Optional.empty());
  }

  /** Returns these resources with another server as upstream. */
  public ServerResources withUpstream(ServerConnection other) {
    return new ServerResources(names, objects, features, Optional.of(other), meters);
  }
}
