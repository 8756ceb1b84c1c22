// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.embed.ledger.EmbeddedLedgers;
import io.tidemark.embed.ledger.LedgerCache;
import io.tidemark.names.NameService;
import io.tidemark.server.admin.AdminRoutes;
import io.tidemark.server.admin.MetricsRoutes;
import io.tidemark.server.events.EventRoutes;
import io.tidemark.server.events.ServerEventBus;
import io.tidemark.server.features.FeatureRoutes;
import io.tidemark.server.health.HealthRoutes;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Routes;
import io.tidemark.server.ledgers.LedgerRoutes;
import io.tidemark.server.ledgers.LedgerServiceResolver;
import io.tidemark.server.metrics.Meters;
import io.tidemark.server.names.NameRoutes;
import io.tidemark.server.objects.ObjectRoutes;
import io.tidemark.server.remotes.RemoteRoutes;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.server.resources.WritePolicy;
import io.tidemark.server.watch.WatchHub;
import io.tidemark.server.watch.WatchRoutes;
import io.tidemark.server.watch.WatchSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All routes of a server, and the components that they keep open. */
final class ServerComponents implements AutoCloseable {

  private final Optional<LedgerCache> ledgers;
  private final ServerEventBus bus;
  private final EventRoutes events;
  private final Meters meters;
  private final WatchHub watchHub;
  private final FeatureRoutes features;
  private final Routes routes;

  ServerComponents(ServerResources serverResources, ServerSettings settings) {
    this.meters = serverResources.meters();
    meters.observe(serverResources.names(), serverResources.objects());
    this.watchHub = new WatchHub(serverResources.names(), settings.watching(), meters);
    LedgerCache open = settings.ledgers().cache(serverResources.names());
    this.bus = ServerEventBus.of(serverResources);
    this.events = new EventRoutes(bus.service());
    this.ledgers = Optional.of(open);
    open.prepareSqlIfUsed(settings.limits().sql());
    this.features =
        serverResources
            .upstream()
            .filter(other -> serverResources.features().isEmpty())
            .map(other -> FeatureRoutes.of(other))
            .orElseGet(() -> FeatureRoutes.of(serverResources.features()));
    List<Route> all = new ArrayList<>();
    all.addAll(new HealthRoutes(serverResources, settings.writes()).routes());
    all.addAll(new NameRoutes(serverResources.names()).routes());
    all.addAll(new ObjectRoutes(serverResources.objects()).routes());
    EmbeddedLedgers own = new EmbeddedLedgers(open, settings.limits().sql());
    LedgerServiceResolver services =
        serverResources
            .upstream()
            .map(LedgerServiceResolver::of)
            .orElseGet(() -> LedgerServiceResolver.of(own));
    int queries = settings.limits().crowd().queries();
    all.addAll(new LedgerRoutes(open, own, services, queries).routes());
    all.addAll(features.routes());
    all.addAll(events.routes());
    all.addAll(
        new RemoteRoutes(
                serverResources.names(),
                serverResources.upstream(),
                settings.remotes(),
                settings.ledgers())
            .routes());
    all.addAll(new AdminRoutes(serverResources, bus).routes());
    all.addAll(new WatchRoutes(watchHub).routes());
    all.addAll(new MetricsRoutes(serverResources).routes());
    this.routes =
        Routes.described(settings.writes() == WritePolicy.TAKEN ? all : ReadOnlyRoutes.of(all));
  }

  /** Creates components with these routes and no others. */
  ServerComponents(Routes routes) {
    this.bus = ServerEventBus.none();
    this.events = new EventRoutes(bus.service());
    this.ledgers = Optional.empty();
    this.meters = new Meters();
    this.watchHub = new WatchHub(NameService.open("memory:"), WatchSettings.standard(), meters);
    this.features = FeatureRoutes.of(Optional.empty());
    this.routes = routes;
  }

  WatchHub hub() {
    return watchHub;
  }

  Meters meters() {
    return meters;
  }

  Routes routes() {
    return routes;
  }

  /** Ends watches, which have no end of their own. */
  void closeWatches() {
    watchHub.close();
    features.close();
    events.close();
  }

  @Override
  public void close() {
    ledgers.ifPresent(LedgerCache::close);
    closeWatches();
    bus.close();
    meters.close();
  }
}
