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

/** All that goes on beside the requests of a server, until it is closed. */
public final class ServerMaintenance implements AutoCloseable {

  /** Time until a changed subscription is noticed. */
  private static final Duration SUBSCRIPTION_LOOKS = Duration.ofSeconds(5);

  /** What was started last comes first. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private ServerMaintenance() {}

  /** Looks after nothing. */
  public static ServerMaintenance none() {
    return new ServerMaintenance();
  }

  /** Starts looking after what a server holds. */
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

  /** Starts looking after features alone: the ledgers are another server's, which does. */
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

  /** How others see who is at work; a process alone in its container is always number 1. */
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

  /** Ends all of it, the last started first, whichever of them fails. */
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
