// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.front;

import io.tidemark.Tidemark;
import io.tidemark.api.events.EventBusService;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureService;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.client.Connection;
import io.tidemark.client.HttpNameBackend;
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

  private final Connection connection;
  private final NameService names;
  private final EventBusService events;

  public HttpTidemark(Connection connection) {
    this.connection = connection;
    this.names = new NameService(new HttpNameBackend(connection));
    this.events = new HttpEvents(connection);
  }

  @Override
  public String location() {
    return connection.toString();
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
    return new HttpLedgers(connection);
  }

  @Override
  public LedgerService ledger(String address) {
    return new HttpLedgers(connection).ledger(address);
  }

  @Override
  public EventBusService events() {
    return events;
  }

  @Override
  public FeatureService features() {
    return new HttpFeatureService(connection, Map.of(), FeatureContext.standard());
  }

  @Override
  public RemoteService remotes() {
    return new HttpRemotes(connection);
  }

  @Override
  public void close() {
    names.close();
  }
}
