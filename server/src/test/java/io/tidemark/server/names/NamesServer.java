// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.client.BearerToken;
import io.tidemark.client.HttpNameBackend;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerLocation;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.resources.ServerResources;
import java.time.Duration;
import java.util.Optional;

/** A server for the tests of a class, with other names for each. */
final class NamesServer implements AutoCloseable {

  private final ReplaceableBackend backend;
  private final NameService names;
  private final RunningServer server;

  NamesServer(NameBackend first) {
    this(first, AccessControl.localOnly());
  }

  NamesServer(NameBackend first, AccessControl accessControl) {
    this.backend = new ReplaceableBackend(first);
    this.names =
        new NameService(backend, NameOptions.standard().announcingEvery(Duration.ofMillis(5)));
    this.server =
        new RunningServer(ServerResources.of(names), accessControl, ServerSettings.standard());
  }

  /** Serves other names from now on. */
  void serve(NameBackend other) {
    backend.become(other);
  }

  /** A client of its own. */
  NameBackend client() {
    return client(Optional.empty());
  }

  /** One that has a token. */
  NameBackend client(Optional<BearerToken> token) {
    ServerLocation here = ServerLocation.parse(server.server().address().toString());
    return new HttpNameBackend(new ServerConnection(here, token));
  }

  RunningServer server() {
    return server;
  }

  NameService names() {
    return names;
  }

  @Override
  public void close() {
    server.close();
    names.close();
  }
}
