// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.events;

import io.tidemark.api.events.ClaimedEvent;
import io.tidemark.api.events.EventArchiveService;
import io.tidemark.api.events.EventClaim;
import io.tidemark.api.events.EventClaimRequest;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.EventSubscriptionService;
import io.tidemark.api.events.EventTail;
import io.tidemark.api.events.FollowRequest;
import io.tidemark.api.events.PublishRequest;
import io.tidemark.api.events.PublishedEvent;
import io.tidemark.api.events.SettleRequest;
import io.tidemark.api.events.SettleRequest.SettleKind;
import io.tidemark.api.events.SettleResult;
import io.tidemark.api.events.SettleResult.Result;
import io.tidemark.events.Delivery;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.Inspection;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Settlement;
import io.tidemark.events.model.Settlement.Settled;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Events of a namespace, in this process. */
final class EmbeddedEventService implements EventService {

  private static final long STANDARD_LEASE = 30;

  private final EventBus bus;
  private final Namespace namespace;

  EmbeddedEventService(EventBus bus, Namespace namespace) {
    this.bus = bus;
    this.namespace = namespace;
  }

  @Override
  public List<PublishedEvent> publish(List<PublishRequest> events) {
    List<NewEvent> all = events.stream().map(EmbeddedEventService::event).toList();
    return all.stream().map(namespace::publish).map(EventResultMapper::published).toList();
  }

  private static NewEvent event(PublishRequest request) {
    NewEvent event =
        NewEvent.of(request.type(), request.payload())
            .withPriority(request.priority().orElse(PublishRequest.STANDARD_PRIORITY));
    NewEvent named = request.id().map(event::withId).orElse(event);
    return request
        .rootEventId()
        .map(root -> named.withLineage(root, request.chainDepth().orElse(0)))
        .orElse(named);
  }

  @Override
  public List<ClaimedEvent> claim(EventClaimRequest request) {
    EventTypeFilter eventTypeFilter =
        request.types().isEmpty()
            ? EventTypeFilter.all()
            : EventTypeFilter.in(request.types().toArray(String[]::new));
    return namespace
        .claim(
            new ClaimRequest(
                request.handler(),
                eventTypeFilter,
                request.limit().orElse(1),
                request.session().orElseGet(() -> UUID.randomUUID().toString()),
                Optional.of(lease(request.leaseSeconds()))))
        .stream()
        .map(EventResultMapper::claimed)
        .toList();
  }

  private static Duration lease(Optional<Long> seconds) {
    return Duration.ofSeconds(seconds.orElse(STANDARD_LEASE));
  }

  @Override
  public List<SettleResult> settle(SettleRequest request) {
    return request.events().stream().map(id -> settle(id, request)).toList();
  }

  /**
   * Settles an event. A repeated settlement, as after a lost answer, has the same result where that
   * can be known.
   */
  private SettleResult settle(String id, SettleRequest request) {
    return namespace
        .heldDelivery(id, request.handler(), request.session())
        .map(delivery -> settle(delivery, request))
        .flatMap(end -> end instanceof Settled done ? Optional.of(done) : Optional.empty())
        .map(done -> EventResultMapper.claim(done.claim()))
        .map(claim -> result(id, request, result(request.as(), claim), Optional.of(claim)))
        .orElseGet(() -> superseded(id, request));
  }

  private static Settlement settle(Delivery delivery, SettleRequest request) {
    String error = request.error().orElse("");
    return switch (request.as()) {
      case ACK -> delivery.ack();
      case RELEASE -> delivery.release(error);
      case GIVE_UP -> delivery.deadLetter(error);
      case RENEW -> delivery.renew(lease(request.leaseSeconds()));
    };
  }

  private static Result result(SettleKind settleKind, EventClaim claim) {
    if (settleKind == SettleKind.RENEW) {
      return Result.RENEWED;
    }
    if (claim.ackAt().isPresent()) {
      return Result.ACKED;
    }
    return claim.deadLetteredAt().isPresent() ? Result.DEAD_LETTERED : Result.RELEASED;
  }

  private SettleResult superseded(String id, SettleRequest request) {
    Optional<EventClaim> claim =
        namespace.inspect(id).map(Inspection::claims).orElse(List.of()).stream()
            .filter(each -> each.handlerId().equals(request.handler()))
            .findFirst()
            .map(EventResultMapper::claim);
    Result result =
        claim
            .filter(each -> each.sessionId().equals(request.session()))
            .filter(each -> wasDone(request.as(), each))
            .map(each -> result(request.as(), each))
            .orElse(Result.SUPERSEDED);
    return result(id, request, result, claim);
  }

  /** Returns whether a claim shows that its session did the same before. */
  private static boolean wasDone(SettleKind settleKind, EventClaim claim) {
    return switch (settleKind) {
      case ACK -> claim.ackAt().isPresent();
      case GIVE_UP -> claim.deadLetteredAt().isPresent();
      case RELEASE, RENEW -> false;
    };
  }

  private static SettleResult result(
      String id, SettleRequest request, Result result, Optional<EventClaim> claim) {
    return new SettleResult(id, request.handler(), request.session(), result, claim);
  }

  @Override
  public EventTail follow(FollowRequest request) {
    return new EmbeddedEventTail(bus, namespace.name(), request);
  }

  @Override
  public EventArchiveService archive() {
    return new EmbeddedEventArchive(namespace, bus.store().clock(), bus.options().overlap());
  }

  @Override
  public EventSubscriptionService subscriptions() {
    return new EmbeddedSubscriptions(bus, namespace.name());
  }
}
