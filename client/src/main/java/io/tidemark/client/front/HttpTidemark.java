// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.front;

import io.tidemark.Tidemark;
import io.tidemark.api.events.EventBusService;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureService;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.client.HttpNameBackend;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.events.HttpEvents;
import io.tidemark.client.features.HttpFeatureService;
import io.tidemark.client.ledger.HttpLedgers;
import io.tidemark.client.remotes.HttpRemotes;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import java.util.Map;
import java.util.Optional;

/** Tidemark on a server, over its documented HTTP API. */
public final class HttpTidemark implements Tidemark {

  private final ServerConnection serverConnection;
  private final NameService names;
  private final EventBusService events;

  public HttpTidemark(ServerConnection serverConnection) {
    this.serverConnection = serverConnection;
    this.names = new NameService(new HttpNameBackend(serverConnection));
    this.events = new HttpEvents(serverConnection);
  }

  @Override
  public String location() {
    return serverConnection.toString();
  }

  @Override
  public NameService names() {
    return names;
  }

  @Override
  public Optional<ObjectStore> objects() {
    return names.objects();
  }

  @Override
  public LedgerCatalog ledgers() {
    return new HttpLedgers(serverConnection);
  }

  @Override
  public LedgerService ledger(String address) {
    return new HttpLedgers(serverConnection).ledger(address);
  }

  @Override
  public EventBusService events() {
    return events;
  }

  @Override
  public FeatureService features() {
    return new HttpFeatureService(serverConnection, Map.of(), FeatureContext.standard());
  }

  @Override
  public RemoteService remotes() {
    return new HttpRemotes(serverConnection);
  }

  @Override
  public void close() {
    names.close();
  }
}
