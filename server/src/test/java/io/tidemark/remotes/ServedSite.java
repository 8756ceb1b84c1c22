// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.client.BearerToken;
import io.tidemark.client.HttpNameBackend;
import io.tidemark.client.HttpObjectBackend;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerLocation;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.resources.ServerResources;
import java.net.URI;
import java.util.Optional;

/** A site that is served: what a test does there goes through the server. */
final class ServedSite implements AutoCloseable {

  private final Site place;
  private final NameService names;
  private final RunningServer server;

  ServedSite(Site place, AccessControl accessControl) {
    this.place = place;
    this.names = place.own();
    this.server =
        new RunningServer(ServerResources.of(names), accessControl, ServerSettings.standard());
  }

  ServedSite(Site place) {
    this(place, AccessControl.localOnly());
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
    ServerConnection serverConnection = ServerConnection.open(way);
    ObjectStore objects = new ObjectStore(new HttpObjectBackend(serverConnection), retry);
    NameOptions options = NameOptions.standard().withRetry(retry).withLedgerStore(objects);
    return place.behind(
        new Site.Server(
            address().toString(),
            () -> new NameService(new HttpNameBackend(serverConnection, retry), options)));
  }

  /** The same for one who has a token. */
  Site as(String token) {
    String location = address().toString();
    ServerConnection serverConnection =
        new ServerConnection(
            ServerLocation.parse(location), Optional.of(BearerToken.of(token, "the test")));
    return place.behind(
        new Site.Server(location, () -> new NameService(new HttpNameBackend(serverConnection))));
  }

  @Override
  public void close() {
    server.close();
    names.close();
  }
}
