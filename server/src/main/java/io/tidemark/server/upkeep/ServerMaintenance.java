// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.subscribe.SubscriptionRunners;
import io.tidemark.events.webhook.AddressPolicy;
import io.tidemark.events.webhook.WebhookOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.ledgers.LedgerSettings;
import io.tidemark.server.resources.ServerResources;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Background work of a server, until it is closed. */
public final class ServerMaintenance implements AutoCloseable {

  /** Time until a changed subscription is noticed. */
  private static final Duration SUBSCRIPTION_LOOKS = Duration.ofSeconds(5);

  /** Closeables in reverse order of their start. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private ServerMaintenance() {}

  /** Returns an instance without any work. */
  public static ServerMaintenance none() {
    return new ServerMaintenance();
  }

  /** Starts the background work on a server's resources. */
  public static ServerMaintenance start(
      ServerResources serverResources,
      LedgerSettings ledgers,
      MaintenanceSchedule maintenanceSchedule) {
    ServerMaintenance serverMaintenance = new ServerMaintenance();
    try {
      NameFeed feed = serverMaintenance.with(new NameFeed(serverResources.names()));
      LedgerMaintainer ledgerMaintainer =
          serverMaintenance.with(
              LedgerMaintainer.start(
                  serverResources.names(),
                  feed,
                  ledgers.options(),
                  ledgers.places(),
                  holder(),
                  maintenanceSchedule));
      serverResources
          .meters()
          .gauge(
              "tidemark.upkeep.behind",
              "Ledgers whose indices or name are behind their commits, as they were last looked at",
              ledgerMaintainer::laggingLedgers);
      serverMaintenance.beginFeatures(serverResources);
      return serverMaintenance;
    } catch (RuntimeException e) {
      try (serverMaintenance) {
        throw e;
      }
    }
  }

  /**
   * Starts only the work on features; the ledgers belong to another server, which maintains them.
   */
  public static ServerMaintenance ofFeatures(ServerResources serverResources) {
    ServerMaintenance serverMaintenance = new ServerMaintenance();
    serverMaintenance.beginFeatures(serverResources);
    return serverMaintenance;
  }

  /** Starts running the webhooks and schedules that are stored with the events. */
  public ServerMaintenance withSubscriptions(
      ObjectStore store, NameService names, AddressPolicy addresses) {
    EventBus bus = with(EventBus.open(store, "", BusOptions.standard()));
    NameFeed feed = with(new NameFeed(names));
    SubscriptionRunners unused =
        with(
            SubscriptionRunners.start(
                bus, feed, WebhookOptions.standard().withAddresses(addresses), SUBSCRIPTION_LOOKS));
    return this;
  }

  private void beginFeatures(ServerResources serverResources) {
    serverResources
        .features()
        .ifPresent(
            features -> parts.push(FeatureMaintainer.start(features, serverResources.names())));
  }

  /**
   * Returns the name of this process in locks. It contains more than the process id, which is
   * always 1 for a single process in a container.
   */
  private static String holder() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "unknown";
    }
    return "server-%s-%d".formatted(host, ProcessHandle.current().pid());
  }

  <T extends AutoCloseable> T with(T part) {
    parts.push(part);
    return part;
  }

  /** Stops all work in reverse order of its start, even if some of it fails. */
  @Override
  public void close() {
    IllegalStateException failed = new IllegalStateException("what goes on didn't end cleanly");
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        failed.addSuppressed(e);
      }
    }
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }
}
