// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.client.Connection;
import io.tidemark.client.HttpNameBackend;
import io.tidemark.client.ServerLocation;
import io.tidemark.client.Token;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.Gate;
import io.tidemark.server.resources.Holdings;
import java.time.Duration;
import java.util.Optional;

/** A server for the tests of a class, with other names for each. */
final class NamesServer implements AutoCloseable {

  private final RenewedBackend backend;
  private final NameService names;
  private final RunningServer server;

  NamesServer(NameBackend first) {
    this(first, Gate.open());
  }

  NamesServer(NameBackend first, Gate gate) {
    this.backend = new RenewedBackend(first);
    this.names =
        new NameService(backend, NameOptions.standard().announcingEvery(Duration.ofMillis(5)));
    this.server = new RunningServer(Holdings.of(names), gate, ServerSettings.standard());
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
  NameBackend client(Optional<Token> token) {
    ServerLocation here = ServerLocation.parse(server.server().address().toString());
    return new HttpNameBackend(new Connection(here, token));
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
