// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.embed.ledger.EmbeddedLedgers;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.names.NameService;
import io.tidemark.server.admin.AdminRoutes;
import io.tidemark.server.admin.MetricsRoutes;
import io.tidemark.server.events.EventRoutes;
import io.tidemark.server.events.ServedEvents;
import io.tidemark.server.features.FeatureRoutes;
import io.tidemark.server.health.HealthRoutes;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Routes;
import io.tidemark.server.ledgers.LedgerRoutes;
import io.tidemark.server.ledgers.LedgerServices;
import io.tidemark.server.metrics.Meters;
import io.tidemark.server.names.NameRoutes;
import io.tidemark.server.objects.ObjectRoutes;
import io.tidemark.server.remotes.RemoteRoutes;
import io.tidemark.server.resources.Holdings;
import io.tidemark.server.resources.Writes;
import io.tidemark.server.watch.Hub;
import io.tidemark.server.watch.WatchRoutes;
import io.tidemark.server.watch.WatchSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Every operation on what a server holds, and what has to be open for it. */
final class Api implements AutoCloseable {

  private final Optional<LedgerCache> ledgers;
  private final ServedEvents bus;
  private final EventRoutes events;
  private final Meters meters;
  private final Hub hub;
  private final FeatureRoutes features;
  private final Routes routes;

  Api(Holdings holdings, ServerSettings settings) {
    this.meters = holdings.meters();
    meters.observe(holdings.names(), holdings.objects());
    this.hub = new Hub(holdings.names(), settings.watching(), meters);
    LedgerCache open = settings.ledgers().cache(holdings.names());
    this.bus = ServedEvents.of(holdings);
    this.events = new EventRoutes(bus.service());
    this.ledgers = Optional.of(open);
    open.prepareSqlIfUsed(settings.limits().sql());
    this.features =
        holdings
            .upstream()
            .filter(other -> holdings.features().isEmpty())
            .map(other -> FeatureRoutes.of(other))
            .orElseGet(() -> FeatureRoutes.of(holdings.features()));
    List<Route> all = new ArrayList<>();
    all.addAll(new HealthRoutes(holdings, settings.writes()).routes());
    all.addAll(new NameRoutes(holdings.names()).routes());
    all.addAll(new ObjectRoutes(holdings.objects()).routes());
    EmbeddedLedgers own = new EmbeddedLedgers(open, settings.limits().sql());
    LedgerServices services =
        holdings.upstream().map(LedgerServices::of).orElseGet(() -> LedgerServices.of(own));
    int queries = settings.limits().crowd().queries();
    all.addAll(new LedgerRoutes(open, own, services, queries).routes());
    all.addAll(features.routes());
    all.addAll(events.routes());
    all.addAll(
        new RemoteRoutes(
                holdings.names(), holdings.upstream(), settings.remotes(), settings.ledgers())
            .routes());
    all.addAll(new AdminRoutes(holdings, bus).routes());
    all.addAll(new WatchRoutes(hub).routes());
    all.addAll(new MetricsRoutes(holdings).routes());
    this.routes = Routes.described(settings.writes() == Writes.TAKEN ? all : ReadOnly.of(all));
  }

  /** These operations and no others. */
  Api(Routes routes) {
    this.bus = ServedEvents.none();
    this.events = new EventRoutes(bus.service());
    this.ledgers = Optional.empty();
    this.meters = new Meters();
    this.hub = new Hub(NameService.open("memory:"), WatchSettings.standard(), meters);
    this.features = FeatureRoutes.of(Optional.empty());
    this.routes = routes;
  }

  Hub hub() {
    return hub;
  }

  Meters meters() {
    return meters;
  }

  Routes routes() {
    return routes;
  }

  /** Ends what would never end by itself. */
  void endWatches() {
    hub.close();
    features.close();
    events.close();
  }

  @Override
  public void close() {
    ledgers.ifPresent(LedgerCache::close);
    endWatches();
    bus.close();
    meters.close();
  }
}
