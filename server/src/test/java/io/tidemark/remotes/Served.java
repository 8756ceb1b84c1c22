// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.client.Connection;
import io.tidemark.client.HttpNameBackend;
import io.tidemark.client.HttpObjectBackend;
import io.tidemark.client.ServerLocation;
import io.tidemark.client.Token;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.Gate;
import io.tidemark.server.resources.Holdings;
import java.net.URI;
import java.util.Optional;

/** A site that is served: what a test does there goes through the server. */
final class Served implements AutoCloseable {

  private final Site place;
  private final NameService names;
  private final RunningServer server;

  Served(Site place, Gate gate) {
    this.place = place;
    this.names = place.own();
    this.server = new RunningServer(Holdings.of(names), gate, ServerSettings.standard());
  }

  Served(Site place) {
    this(place, Gate.open());
  }

  URI address() {
    return server.server().address();
  }

  /** The site as a client sees it who goes straight to the server. */
  Site site() {
    String location = address().toString();
    return place.behind(new Site.Server(location, () -> NameService.open(location)));
  }

  /** The same for one whose way there leads through something else, who asks for so long. */
  Site through(String way, Retry retry) {
    Connection connection = Connection.open(way);
    ObjectStore objects = new ObjectStore(new HttpObjectBackend(connection), retry);
    NameOptions options = NameOptions.standard().withRetry(retry).beside(objects);
    return place.behind(
        new Site.Server(
            address().toString(),
            () -> new NameService(new HttpNameBackend(connection, retry), options)));
  }

  /** The same for one who has a token. */
  Site as(String token) {
    String location = address().toString();
    Connection connection =
        new Connection(ServerLocation.parse(location), Optional.of(Token.of(token, "the test")));
    return place.behind(
        new Site.Server(location, () -> new NameService(new HttpNameBackend(connection))));
  }

  @Override
  public void close() {
    server.close();
    names.close();
  }
}
