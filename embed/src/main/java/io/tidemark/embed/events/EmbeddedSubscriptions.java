// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.events;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.EventSchedule;
import io.tidemark.api.events.EventSubscription;
import io.tidemark.api.events.EventSubscriptionService;
import io.tidemark.api.events.SubscribeRequest;
import io.tidemark.api.events.SubscribeResult;
import io.tidemark.events.EventBus;
import io.tidemark.events.model.EventIds;
import io.tidemark.events.schedule.Schedule;
import io.tidemark.events.subscribe.NamedSchedule;
import io.tidemark.events.subscribe.Subscription;
import io.tidemark.events.subscribe.SubscriptionStore;
import io.tidemark.events.subscribe.Subscriptions;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.security.SecureRandom;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Webhooks and schedules of a namespace, in this process. */
final class EmbeddedSubscriptions implements EventSubscriptionService {

  private static final int SECRET_BYTES = 32;
  private static final int SHORT = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final EventBus bus;
  private final SubscriptionStore store;
  private final String namespace;

  EmbeddedSubscriptions(EventBus bus, String namespace) {
    this.bus = bus;
    this.store = new SubscriptionStore(bus.store(), bus.prefix());
    this.namespace = namespace;
  }

  @Override
  public SubscribeResult subscribe(SubscribeRequest request) {
    Optional<String> fresh =
        request.secret().isPresent() ? Optional.empty() : Optional.of(newSecret());
    String id = EventIds.of(String.join(",", request.types()), request.url());
    Subscription wanted =
        new Subscription(
            request.handler().orElse("webhook-" + id.substring(0, SHORT)),
            request.types(),
            request.url(),
            request.secret().or(() -> fresh).orElseThrow(),
            bus.store().clock().instant().truncatedTo(ChronoUnit.MICROS));
    wanted.check();
    Subscriptions unused = store.update(namespace, stored -> stored.with(wanted));
    return new SubscribeResult(toApi(wanted), fresh);
  }

  private static String newSecret() {
    byte[] bytes = new byte[SECRET_BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static EventSubscription toApi(Subscription stored) {
    return new EventSubscription(
        stored.handler(), stored.types(), stored.target(), stored.createdAt());
  }

  @Override
  public void unsubscribe(String handler) {
    if (store.read(namespace).webhooks().stream().noneMatch(it -> it.handler().equals(handler))) {
      throw missing("subscription", handler);
    }
    Subscriptions unused = store.update(namespace, stored -> stored.withoutWebhook(handler));
  }

  @Override
  public List<EventSubscription> subscriptions() {
    return store.read(namespace).webhooks().stream().map(EmbeddedSubscriptions::toApi).toList();
  }

  @Override
  public void schedule(EventSchedule schedule) {
    NamedSchedule wanted =
        new NamedSchedule(
            schedule.name(),
            Schedule.of(schedule.cron(), schedule.type(), schedule.payload().toString())
                .withPriority(schedule.priority()));
    Subscriptions unused = store.update(namespace, stored -> stored.with(wanted));
  }

  @Override
  public void unschedule(String name) {
    if (store.read(namespace).schedules().stream().noneMatch(it -> it.name().equals(name))) {
      throw missing("schedule", name);
    }
    Subscriptions unused = store.update(namespace, stored -> stored.withoutSchedule(name));
  }

  @Override
  public List<EventSchedule> schedules() {
    return store.read(namespace).schedules().stream().map(EmbeddedSubscriptions::toApi).toList();
  }

  private static EventSchedule toApi(NamedSchedule stored) {
    JsonNode payload = WireJson.parse(stored.schedule().payload());
    return new EventSchedule(
        stored.name(),
        stored.schedule().cron().toString(),
        stored.schedule().type(),
        payload,
        stored.schedule().priority());
  }

  private TidemarkException missing(String kind, String name) {
    return new TidemarkException(
        ErrorCode.NOT_FOUND,
        "there is no %s %s in the namespace %s; list them to find it"
            .formatted(kind, name, namespace));
  }
}
