// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.subscribe;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.schedule.Schedule;
import io.tidemark.events.webhook.AddressPolicy;
import io.tidemark.events.webhook.Receiver;
import io.tidemark.events.webhook.WebhookOptions;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.objects.ObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stored webhooks and schedules, run by servers that share the work. */
class SubscriptionRunnersTest {

  private static final WebhookOptions ANY =
      WebhookOptions.standard().withAddresses(AddressPolicy.ANY);
  private static final Duration SOON = Duration.ofMillis(20);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String SECRET = "a secret that nobody knows";

  private final ObjectStore objects = ObjectStore.open("memory:");
  private final SubscriptionStore store = new SubscriptionStore(objects, "");
  private final EventBus bus = EventBus.open(objects, "", BusOptions.standard());
  private final Namespace orders = bus.namespace("orders");
  private final NameService names = NameService.open("memory:");
  private final NameFeed feed = new NameFeed(names);
  private final Receiver receiver = Receiver.start();

  @AfterEach
  void close() {
    receiver.close();
    feed.close();
    names.close();
    bus.close();
    objects.close();
  }

  private Subscription subscription(String handler) {
    return new Subscription(
        handler,
        List.of("order.created"),
        receiver.uri("/in?token=hidden").toString(),
        SECRET,
        Instant.EPOCH);
  }

  private void subscribe(String handler) {
    Subscriptions unused = store.update("orders", stored -> stored.with(subscription(handler)));
  }

  private SubscriptionRunners start(EventBus on) {
    return SubscriptionRunners.start(on, feed, ANY, SOON);
  }

  private Event publish(String id) {
    return orders.publish(NewEvent.of("order.created", "{}").withId(id)).event();
  }

  private boolean isAcked(String id) {
    return orders.inspect(id).filter(it -> it.status() == EventStatus.ACKED).isPresent();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(LIMIT).pollInterval(Duration.ofMillis(5)).until(condition);
  }

  @Test
  void twoServersShareTheWork() {
    subscribe("hook");
    List<String> ids = IntStream.range(0, 40).mapToObj(i -> "o" + i).toList();
    try (EventBus other = EventBus.open(objects, "", BusOptions.standard());
        SubscriptionRunners one = start(bus);
        SubscriptionRunners two = start(other)) {
      ids.forEach(this::publish);
      await(() -> ids.stream().allMatch(this::isAcked));
    }
    assertThat(receiver.calls())
        .extracting(call -> call.header("Idempotency-Key"))
        .containsExactlyInAnyOrderElementsOf(
            ids.stream().map(id -> "orders/" + id + "/hook").toList());
  }

  @Test
  void whatAKilledServerHeldIsDeliveredWhenItsLeaseEnds() {
    subscribe("hook");
    publish("o1");
    ClaimRequest killed =
        new ClaimRequest(
            "hook",
            EventTypeFilter.in("order.created"),
            1,
            "killed",
            Optional.of(Duration.ofMillis(300)));
    assertThat(orders.claim(killed)).hasSize(1);

    try (EventBus other = EventBus.open(objects, "", BusOptions.standard());
        SubscriptionRunners survivor = start(other)) {
      await(() -> isAcked("o1"));
    }
    assertThat(receiver.calls()).hasSize(1);
    assertThat(receiver.calls().get(0).header("Tidemark-Attempt")).isEqualTo("2");
  }

  @Test
  void aRestartGoesOnWhereTheServerEnded() {
    subscribe("hook");
    publish("o1");
    try (SubscriptionRunners first = start(bus)) {
      await(() -> isAcked("o1"));
    }
    publish("o2");
    try (EventBus again = EventBus.open(objects, "", BusOptions.standard());
        SubscriptionRunners second = start(again)) {
      await(() -> isAcked("o2"));
    }
    assertThat(receiver.calls())
        .extracting(call -> call.header("Idempotency-Key"))
        .containsExactly("orders/o1/hook", "orders/o2/hook");
  }

  @Test
  void aSubscriptionIsRunAndEndedWithoutARestart() {
    try (SubscriptionRunners runners = start(bus)) {
      subscribe("hook");
      publish("o1");
      await(() -> isAcked("o1"));
      Subscriptions unused =
          store.update("orders", all -> all.with(subscription("other")).withoutWebhook("hook"));
      publish("o2");
      await(() -> isAcked("o2"));
    }
    assertThat(orders.inspect("o2").orElseThrow().claims())
        .extracting(claim -> claim.handlerId())
        .containsExactly("other");
  }

  @Test
  void privateAddressesAreRefusedUnlessTheyAreAllowed() {
    subscribe("hook");
    Schedule schedule = Schedule.of("* * * * *", "tick", "{}");
    Subscriptions unused =
        store.update("orders", all -> all.with(new NamedSchedule("minutely", schedule)));
    publish("o1");
    try (SubscriptionRunners runners =
        SubscriptionRunners.start(bus, feed, WebhookOptions.standard(), SOON)) {
      await(() -> !ticks().isEmpty()); // the rest of the namespace is run
    }
    assertThat(receiver.calls()).isEmpty();
    assertThat(isAcked("o1")).isFalse();
  }

  @Test
  void changesOfNamesArePublishedWhereAWebhookAsksForThem() {
    Address ledger = Address.parse("orders:main");
    names.create(ledger);
    Subscriptions unused =
        store.update(
            "orders",
            all ->
                all.with(
                    new Subscription(
                        "heads",
                        List.of("names.head.moved"),
                        receiver.uri("/in").toString(),
                        SECRET,
                        Instant.EPOCH)));
    AtomicLong t = new AtomicLong();
    try (SubscriptionRunners runners = start(bus)) {
      await(
          () -> {
            // What moved before the runner began isn't told.
            names.ledgers().publishCommit(ledger, Ref.of("c" + t.incrementAndGet(), t.get()));
            return !receiver.calls().isEmpty();
          });
    }
    assertThat(receiver.calls().get(0).body())
        .contains("\"names.head.moved\"")
        .contains("orders:main");
    assertThat(bus.namespace("other").list(10)).isEmpty();
  }

  @Test
  void aScheduleMakesOneEventATimeHoweverManyServersRun() {
    Schedule schedule = Schedule.of("* * * * *", "tick", "{\"n\":1}");
    Subscriptions unused =
        store.update("orders", all -> all.with(new NamedSchedule("minutely", schedule)));
    try (EventBus other = EventBus.open(objects, "", BusOptions.standard());
        SubscriptionRunners one = start(bus);
        SubscriptionRunners two = start(other)) {
      await(() -> !ticks().isEmpty());
    }
    assertThat(ticks()).extracting(each -> each.createdAt().getEpochSecond() % 60).containsOnly(0L);
    assertThat(ticks()).extracting(ListedEvent::createdAt).doesNotHaveDuplicates();
  }

  private List<ListedEvent> ticks() {
    return orders.list(100).stream()
        .filter(each -> each.event().filter(it -> it.type().equals("tick")).isPresent())
        .toList();
  }

  @Test
  void whatIsStoredIsReadAgainAndTextsOfItHoldNoSecret() {
    subscribe("hook");
    NamedSchedule schedule =
        new NamedSchedule("nightly", Schedule.of("30 4 * * *", "tick", "{}").withPriority(7));
    Subscriptions stored = store.update("orders", all -> all.with(schedule));

    assertThat(store.read("orders").webhooks()).containsExactly(subscription("hook"));
    assertThat(store.read("orders").schedules().get(0).schedule().priority()).isEqualTo(7);
    assertThat(store.versions()).containsOnlyKeys("orders");
    assertThat(stored.toString() + stored.webhooks()).doesNotContain(SECRET, "hidden");
  }
}
