// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Page;
import io.tidemark.api.events.ClaimedEvent;
import io.tidemark.api.events.Cutoff;
import io.tidemark.api.events.DeadLetterEntry;
import io.tidemark.api.events.EventArchiveService;
import io.tidemark.api.events.EventBusService;
import io.tidemark.api.events.EventClaim;
import io.tidemark.api.events.EventClaimRequest;
import io.tidemark.api.events.EventCleanupRequest;
import io.tidemark.api.events.EventCleanupResult;
import io.tidemark.api.events.EventDetails;
import io.tidemark.api.events.EventEntry;
import io.tidemark.api.events.EventListRequest;
import io.tidemark.api.events.EventSchedule;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.EventState;
import io.tidemark.api.events.EventSubscriptionService;
import io.tidemark.api.events.EventTail;
import io.tidemark.api.events.FollowRequest;
import io.tidemark.api.events.NamespaceStats;
import io.tidemark.api.events.PublishRequest;
import io.tidemark.api.events.PublishedEvent;
import io.tidemark.api.events.ReplayResult;
import io.tidemark.api.events.SettleRequest;
import io.tidemark.api.events.SettleRequest.SettleKind;
import io.tidemark.api.events.SettleResult;
import io.tidemark.api.events.SettleResult.Result;
import io.tidemark.api.events.SubscribeRequest;
import io.tidemark.api.events.SubscribeResult;
import io.tidemark.objects.TidemarkException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Promises of the event services, for each implementation of them. */
public abstract class EventServiceContract {

  private static final Duration LONG = Duration.ofMinutes(2);

  private String namespace = "";
  private EventService events;
  private EventArchiveService archive;

  /** Returns the bus under test. */
  protected abstract EventBusService bus();

  @BeforeEach
  void openNamespace() {
    namespace = "n" + UUID.randomUUID();
    events = bus().namespace(namespace);
    archive = events.archive();
  }

  private static PublishRequest event(String id) {
    return PublishRequest.of("order.created").withId(Optional.of(id));
  }

  private void publish(String... ids) {
    for (String id : ids) {
      PublishedEvent unused = events.publish(event(id));
    }
  }

  private List<ClaimedEvent> claim(String handler, int limit) {
    return events.claim(
        EventClaimRequest.of(handler).withSession(Optional.of("s1")).withLimit(Optional.of(limit)));
  }

  private SettleResult settle(SettleKind settleKind, String id) {
    return events
        .settle(
            SettleRequest.of(settleKind, "mailer", "s1", List.of(id))
                .withError(Optional.of("no way")))
        .get(0);
  }

  private static void assertFails(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(TidemarkException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aPublishedEventIsReturnedAsItIsStored() {
    ObjectNode payload =
        JsonNodeFactory.instance
            .objectNode()
            .put("price", new BigDecimal("12345678901234567890.100"))
            .putNull("mail");
    PublishedEvent first =
        events.publish(
            PublishRequest.of("order.created", payload)
                .withId(Optional.of("o1"))
                .withPriority(Optional.of(900))
                .withRootEventId(Optional.of("root"))
                .withChainDepth(Optional.of(2)));

    assertThat(first.published()).isTrue();
    assertThat(first.event().namespace()).isEqualTo(namespace);
    assertThat(first.event().type()).isEqualTo("order.created");
    assertThat(first.event().payload()).isEqualTo(payload);
    assertThat(first.event().priority()).isEqualTo(900);
    assertThat(first.event().rootEventId()).isEqualTo("root");
    assertThat(first.event().chainDepth()).isEqualTo(2);
    assertThat(archive.show("o1").event()).contains(first.event());
  }

  @Test
  void anEventWithoutAnIdGetsANewOneAndBeginsAChain() {
    PublishedEvent one = events.publish(PublishRequest.of("a.b"));
    PublishedEvent other = events.publish(PublishRequest.of("a.b"));

    assertThat(one.event().id()).isNotEqualTo(other.event().id());
    assertThat(one.event().rootEventId()).isEqualTo(one.event().id());
    assertThat(one.event().priority()).isEqualTo(PublishRequest.STANDARD_PRIORITY);
    assertThat(one.event().payload()).isEmpty();
  }

  @Test
  void manyEventsArePublishedInOrder() {
    List<PublishRequest> many = IntStream.range(0, 1_100).mapToObj(i -> event("o" + i)).toList();

    assertThat(events.publish(many))
        .extracting(each -> each.event().id())
        .containsExactlyElementsOf(many.stream().map(each -> each.id().orElseThrow()).toList());
  }

  @Test
  void whatIsNoEventIsRefused() {
    assertFails("invalid-name", () -> events.publish(PublishRequest.of("No Type")));
    assertFails(
        "invalid-payload",
        () -> events.publish(PublishRequest.of("a.b", JsonNodeFactory.instance.arrayNode())));
    assertFails("invalid-name", () -> bus().namespace("a/b").publish(PublishRequest.of("a.b")));
  }

  @Test
  void eventsAreListedFromTheNewestPageBack() {
    publish("o1", "o2", "o3", "o4", "o5");
    claim("mailer", 1);

    EventListRequest two = EventListRequest.newest().withLimit(2);
    Page<EventEntry> newest = archive.list(two);
    assertThat(newest.items()).extracting(EventEntry::id).containsExactly("o4", "o5");
    Page<EventEntry> next = archive.list(two.withCursor(newest.next()));
    assertThat(next.items()).extracting(EventEntry::id).containsExactly("o2", "o3");
    Page<EventEntry> last = archive.list(two.withCursor(next.next()));
    assertThat(last.items()).extracting(EventEntry::id).containsExactly("o1");
    assertThat(last.items()).extracting(EventEntry::status).containsExactly(EventState.CLAIMED);
    assertThat(last.next()).isEmpty();
  }

  @Test
  void aListingSelectsByTypeAndState() {
    publish("o1");
    PublishedEvent paid = events.publish(PublishRequest.of("order.paid"));
    claim("mailer", 1);

    EventListRequest all = EventListRequest.newest().withLimit(Integer.MAX_VALUE);
    assertThat(archive.list(all.withTypes(List.of("order.paid"))).items())
        .containsExactly(EventEntry.of(paid.event(), EventState.PENDING));
    assertThat(archive.list(all.withStatus(Optional.of(EventState.CLAIMED))).items())
        .extracting(EventEntry::id)
        .containsExactly("o1");
  }

  @Test
  void aCursorOfAnotherListingIsRefused() {
    assertFails(
        "invalid-request",
        () -> archive.list(EventListRequest.newest().withCursor(Optional.of("YQ"))));
  }

  @Test
  void claimsAreByPriorityAndThenByAge() {
    publish("o1", "o2");
    PublishedEvent unused = events.publish(event("o3").withPriority(Optional.of(900)));

    List<ClaimedEvent> claimed = claim("mailer", 10);
    assertThat(claimed).extracting(ClaimedEvent::eventId).containsExactly("o3", "o1", "o2");
    assertThat(claimed).extracting(ClaimedEvent::attempt).containsOnly(1);
    assertThat(claimed.get(0).idempotencyKey()).isEqualTo(namespace + "/o3/mailer");
    assertThat(claim("mailer", 10)).isEmpty();
    assertThat(claim("printer", 10)).hasSize(3);
  }

  @Test
  void eachClaimHasTheLeaseOfItsRequest() {
    publish("o1", "o2");
    EventClaimRequest request = EventClaimRequest.of("mailer").withSession(Optional.of("s1"));

    for (Duration lease : List.of(Duration.ofSeconds(90), Duration.ofHours(20))) {
      ClaimedEvent claimed = events.claim(request.withLease(lease)).get(0);
      EventClaim claim = archive.show(claimed.eventId()).claims().get(0);
      assertThat(Duration.between(claim.claimedAt(), claim.leaseUntil())).isEqualTo(lease);
    }
    Instant before = archive.show("o1").claims().get(0).leaseUntil();
    SettleResult renewed =
        events
            .settle(
                SettleRequest.of(SettleKind.RENEW, "mailer", "s1", List.of("o1"))
                    .withLeaseSeconds(Optional.of(7_200L)))
            .get(0);
    assertThat(renewed.result()).isEqualTo(Result.RENEWED);
    assertThat(renewed.claim().orElseThrow().leaseUntil())
        .isAfter(before.plusSeconds(7_000))
        .isBefore(before.plusSeconds(7_300));
  }

  @Test
  void moreEventsAreClaimedAndSettledThanOneRequestTakes() {
    List<PublishRequest> many = IntStream.range(0, 130).mapToObj(i -> event("o" + i)).toList();
    List<PublishedEvent> unused = events.publish(many);

    List<String> claimed = claim("mailer", 120).stream().map(ClaimedEvent::eventId).toList();
    assertThat(claimed).hasSize(120).doesNotHaveDuplicates();
    assertThat(events.settle(SettleRequest.of(SettleKind.ACK, "mailer", "s1", claimed)))
        .hasSize(120)
        .allMatch(SettleResult::isDone);
  }

  @Test
  void aSettlementIsRepeatableAndTheSessionsOwn() {
    publish("o1");
    claim("mailer", 1);

    SettleResult foreign =
        events.settle(SettleRequest.of(SettleKind.ACK, "mailer", "s2", List.of("o1"))).get(0);
    assertThat(foreign.result()).isEqualTo(Result.SUPERSEDED);
    assertThat(foreign.claim().orElseThrow().sessionId()).isEqualTo("s1");
    assertThat(settle(SettleKind.ACK, "o1").result()).isEqualTo(Result.ACKED);
    assertThat(settle(SettleKind.ACK, "o1").result()).isEqualTo(Result.ACKED);
    assertThat(settle(SettleKind.RELEASE, "o1").result()).isEqualTo(Result.SUPERSEDED);
    assertThat(settle(SettleKind.ACK, "nothing"))
        .isEqualTo(
            new SettleResult("nothing", "mailer", "s1", Result.SUPERSEDED, Optional.empty()));
  }

  @Test
  void aReleasedEventWaitsAndKeepsTheError() {
    publish("o1");
    claim("mailer", 1);

    EventClaim claim = settle(SettleKind.RELEASE, "o1").claim().orElseThrow();
    assertThat(claim.failures()).isEqualTo(1);
    assertThat(claim.lastError()).contains("no way");
    assertThat(claim.dueAt()).isAfter(claim.claimedAt());
    assertThat(archive.show("o1").status()).isEqualTo(EventState.PENDING);
  }

  @Test
  void whatIsGivenUpIsADeadLetterThatCanBeReplayed() {
    publish("o1");
    claim("mailer", 1);
    assertThat(settle(SettleKind.GIVE_UP, "o1").result()).isEqualTo(Result.DEAD_LETTERED);

    EventDetails details = archive.show("o1");
    assertThat(details.status()).isEqualTo(EventState.DEAD_LETTERED);
    List<DeadLetterEntry> letters = archive.deadLetters(10, Optional.empty()).items();
    assertThat(letters).isEqualTo(details.deadLetters()).hasSize(1);
    assertThat(letters.get(0).lastError()).isEqualTo("no way");
    assertThat(letters.get(0).event()).isEqualTo(details.event());

    ReplayResult replayed = archive.replay("o1", Optional.of("k1"));
    assertThat(archive.replay("o1", Optional.of("k1"))).isEqualTo(replayed);
    assertThat(archive.replay("o1", Optional.empty()).newEventId())
        .isNotEqualTo(replayed.newEventId());
    assertThat(replayed.replayedEventId()).isEqualTo("o1");
    assertThat(archive.show(replayed.newEventId()).status()).isEqualTo(EventState.PENDING);
  }

  @Test
  void deadLettersAreListedInPages() {
    publish("o1", "o2", "o3");
    claim("mailer", 3);
    for (String id : List.of("o1", "o2", "o3")) {
      SettleResult unused = settle(SettleKind.GIVE_UP, id);
    }

    Page<DeadLetterEntry> first = archive.deadLetters(2, Optional.empty());
    assertThat(first.items()).extracting(DeadLetterEntry::eventId).containsExactly("o1", "o2");
    Page<DeadLetterEntry> last = archive.deadLetters(2, first.next());
    assertThat(last.items()).extracting(DeadLetterEntry::eventId).containsExactly("o3");
    assertThat(last.next()).isEmpty();
  }

  @Test
  void anUnknownEventHasACode() {
    assertFails("unknown-event", () -> archive.show("nothing"));
    assertFails("unknown-event", () -> archive.replay("nothing", Optional.empty()));
  }

  @Test
  void aNamespaceWithoutSessionsListsNone() {
    assertThat(archive.sessions(Integer.MAX_VALUE, Optional.empty()).items()).isEmpty();
  }

  @Test
  void aCleanupDeletesWhatIsFinishedAndOldEnough() {
    publish("o1", "o2");
    claim("mailer", 1);
    SettleResult unused = settle(SettleKind.ACK, "o1");

    assertThat(archive.cleanup(EventCleanupRequest.standard()).deleted()).isZero();
    Instant future = Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.MICROS);
    EventCleanupResult done =
        archive.cleanup(
            EventCleanupRequest.standard().withBefore(Optional.of(Cutoff.time(future))));
    assertThat(done.namespace()).isEqualTo(namespace);
    assertThat(done.before()).isEqualTo(future);
    assertThat(List.of(done.deleted(), done.claims(), done.kept())).containsExactly(1L, 1L, 1L);
    EventCleanupResult forced =
        archive.cleanup(
            EventCleanupRequest.standard()
                .withBefore(Optional.of(Cutoff.age(Duration.ZERO)))
                .withForce(true));
    assertThat(forced.deleted()).isEqualTo(1);
    assertThat(archive.list(EventListRequest.newest()).items()).isEmpty();
  }

  @Test
  void aCleanupUpToATimeToComeIsRefused() {
    publish("o1");
    EventCleanupRequest all = EventCleanupRequest.standard().withForce(true);
    Optional<Cutoff> future = Optional.of(Cutoff.time(Instant.now().plus(Duration.ofHours(1))));

    for (EventCleanupRequest request :
        List.of(all.withBefore(future), all.withDeadLetters(future), all.withSessions(future))) {
      assertFails("invalid-request", () -> archive.cleanup(request));
    }
    assertThat(archive.list(EventListRequest.newest()).items()).hasSize(1);
  }

  @Test
  void namespacesAreCounted() {
    publish("o1", "o2");
    claim("mailer", 1);

    assertThat(bus().namespaces()).contains(new NamespaceStats(namespace, 1, 0, 0, 0));
  }

  @Test
  void aTailTellsOfWhatIsThereAndThenOfWhatComes() throws InterruptedException {
    publish("o1");
    PublishedEvent paid = events.publish(PublishRequest.of("order.paid"));

    try (EventTail tail = events.follow(FollowRequest.fromStart());
        EventTail ofType =
            events.follow(FollowRequest.fromStart().withTypes(List.of("order.paid")));
        EventTail fromNow = events.follow(FollowRequest.fromNow())) {
      assertThat(taken(tail, 2)).containsExactly("o1", paid.event().id());
      assertThat(tail.next(Duration.ZERO)).isEmpty();
      assertThat(taken(ofType, 1)).containsExactly(paid.event().id());
      publish("o3");
      assertThat(taken(tail, 1)).containsExactly("o3");
      assertThat(taken(fromNow, 1)).containsExactly("o3");
      assertThat(ofType.next(Duration.ZERO)).isEmpty();
    }
    assertThat(claim("mailer", 10)).as("a tail claims nothing").hasSize(3);
  }

  private static List<String> taken(EventTail tail, int count) throws InterruptedException {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(tail.next(LONG).orElseThrow().id());
    }
    return ids;
  }

  @Test
  void aTailThatHasToldAllSaysSoAtOnce() throws InterruptedException {
    try (EventTail tail = events.follow(FollowRequest.fromStart())) {
      assertThat(tail.next(Duration.ZERO)).isEmpty();
      publish("o1");
      assertThat(taken(tail, 1)).containsExactly("o1");
    }
  }

  @Test
  void aSubscriptionIsStoredAndItsSecretShownOnce() {
    EventSubscriptionService subscriptions = events.subscriptions();
    SubscribeRequest request = SubscribeRequest.of("order.created", "https://example.org/in?t=1");

    SubscribeResult made = subscriptions.subscribe(request);
    assertThat(made.secret().orElseThrow()).hasSize(64);
    assertThat(made.subscription().target()).isEqualTo("https://example.org");
    SubscribeResult again =
        subscriptions.subscribe(request.withSecret(Optional.of("a secret that nobody knows")));
    assertThat(again.secret()).isEmpty();
    assertThat(again.subscription().handler()).isEqualTo(made.subscription().handler());
    assertThat(subscriptions.subscriptions()).containsExactly(again.subscription());
    assertThat(bus().namespaces()).extracting(NamespaceStats::namespace).contains(namespace);

    subscriptions.unsubscribe(again.subscription().handler());
    assertThat(subscriptions.subscriptions()).isEmpty();
    assertFails("not-found", () -> subscriptions.unsubscribe("nobody"));
  }

  @Test
  void aSubscriptionThatCanNotBeMeantIsRefused() {
    EventSubscriptionService subscriptions = events.subscriptions();

    assertFails(
        "refused-target", () -> subscriptions.subscribe(SubscribeRequest.of("a.b", "ftp://h/x")));
    assertFails(
        "invalid-request", () -> subscriptions.subscribe(SubscribeRequest.of("a.b", "no url")));
    assertFails(
        "invalid-request",
        () ->
            subscriptions.subscribe(
                SubscribeRequest.of("a.b", "https://h/x").withSecret(Optional.of("short"))));
    assertThat(subscriptions.subscriptions()).isEmpty();
  }

  @Test
  void aScheduleIsStoredAndRemoved() {
    EventSubscriptionService subscriptions = events.subscriptions();
    ObjectNode payload = JsonNodeFactory.instance.objectNode().put("n", 1);
    EventSchedule nightly = new EventSchedule("nightly", "30 4 * * *", "report.due", payload, 7);

    subscriptions.schedule(new EventSchedule("nightly", "0 0 * * *", "other", payload, 100));
    subscriptions.schedule(nightly);
    assertThat(subscriptions.schedules()).containsExactly(nightly);
    assertFails(
        "invalid-cron",
        () -> subscriptions.schedule(new EventSchedule("x", "soon", "a.b", payload, 100)));
    subscriptions.unschedule("nightly");
    assertThat(subscriptions.schedules()).isEmpty();
    assertFails("not-found", () -> subscriptions.unschedule("nightly"));
  }
}
