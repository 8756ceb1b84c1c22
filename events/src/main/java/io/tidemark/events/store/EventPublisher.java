// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.ChainTooLongException;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.FutureEventException;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.NewEvent.Lineage;
import io.tidemark.events.model.PayloadJson;
import io.tidemark.events.model.Publication;
import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.UtcTimestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Publisher that stores events.
 *
 * <p>Polls look for new names only as far back as twice {@code maxSkew}: once for clock skew and
 * once for the duration of a write. So an event must not appear under a name that is older than
 * {@code maxSkew} by the clock of the publisher. An event that took longer, or whose given time is
 * further back, is stored once more under the current time. That is harmless, because handlers
 * recognize the copy by its id.
 */
public final class EventPublisher {

  /** Field of an event of long ago that has a copy under a later time. */
  private static final String COPIED = "copied";

  private final NamespaceStore namespaceStore;
  private final Consumer<Event> stored;
  private Instant last = Instant.EPOCH;

  /**
   * Creates a publisher.
   *
   * @param stored callback for every stored event, so that no poll has to find it
   */
  public EventPublisher(NamespaceStore namespaceStore, Consumer<Event> stored) {
    this.namespaceStore = namespaceStore;
    this.stored = stored;
  }

  /** Checks an event and stores it. */
  public Publication publish(NewEvent wanted) {
    NameValidator.type(wanted.type());
    wanted.id().ifPresent(NameValidator::event);
    wanted.lineage().ifPresent(this::check);
    String payload =
        PayloadJson.check(wanted.payload(), namespaceStore.options().limits().maxPayloadBytes());
    return store(wanted, payload);
  }

  private void check(Lineage lineage) {
    NameValidator.event(lineage.rootEventId());
    int most = namespaceStore.options().limits().maxChainDepth();
    if (lineage.chainDepth() > most) {
      throw new ChainTooLongException(
          "the event would be number "
              + lineage.chainDepth()
              + " of a chain that event "
              + lineage.rootEventId()
              + " began, and "
              + most
              + " are allowed; look for handlers that cause each other's events");
    }
  }

  /** Stores an event of the bus itself, whose payload may be of any size. */
  Publication store(NewEvent wanted, String payload) {
    long begun = namespaceStore.options().time().nanos();
    Instant now = namespaceStore.now();
    String id = wanted.id().orElseGet(() -> EventIds.next(now));
    Lineage lineage = wanted.lineage().orElseGet(() -> new Lineage(id, 0));
    Instant createdAt =
        wanted.createdAt().map(given -> checked(given, now)).orElseGet(() -> next(now));
    Event event =
        new Event(
            id,
            namespaceStore.namespace(),
            wanted.type(),
            payload,
            createdAt,
            wanted.priority(),
            lineage.rootEventId(),
            lineage.chainDepth());
    Duration age = Duration.between(createdAt, now);
    return isLate(age) ? storeLate(event) : storeInTime(event, begun, age);
  }

  private Instant checked(Instant given, Instant now) {
    if (given.isAfter(now.plus(namespaceStore.options().overlap()))) {
      throw new FutureEventException(
          "the event's time is "
              + given
              + " and now is "
              + now
              + "; publish it when its time has come, or set the clock");
    }
    NameValidator.time(given);
    return given.truncatedTo(ChronoUnit.MICROS);
  }

  /** Returns the time of the next event: now, or just after the one before, to keep their order. */
  private synchronized Instant next(Instant now) {
    Instant following = last.plus(1, ChronoUnit.MICROS);
    boolean close = following.isBefore(now.plusSeconds(1));
    last = following.isAfter(now) && close ? following : now;
    return last;
  }

  private boolean isLate(Duration age) {
    return age.compareTo(namespaceStore.options().maxSkew()) > 0;
  }

  private Publication storeInTime(Event event, long begun, Duration age) {
    boolean fresh = put(event);
    Duration took = Duration.ofNanos(namespaceStore.options().time().nanos() - begun);
    if (isLate(age.plus(took))) {
      return new Publication.Published(publishCopy(event));
    }
    stored.accept(event);
    return fresh ? new Publication.Published(event) : new Publication.AlreadyThere(event);
  }

  /** Stores the copy with the current time first, so that both exist once the event does. */
  private Publication storeLate(Event event) {
    if (isDiscoverable(event)) {
      return new Publication.AlreadyThere(event);
    }
    Event copy = publishCopy(event);
    boolean unused = put(event, EventJson.write(event).put(COPIED, true));
    return new Publication.Published(copy);
  }

  /**
   * Returns whether polls find an event of long ago: it was stored in time, or after its copy.
   * Otherwise it was stored too late by a publisher that then failed to store a copy.
   */
  private boolean isDiscoverable(Event event) {
    Instant inTime = event.createdAt().plus(namespaceStore.options().maxSkew().dividedBy(2));
    Optional<ObjectInfo> there = namespaceStore.store().head(key(event));
    return there.isPresent()
        && (there.get().lastModified().isBefore(inTime) || isCopied(key(event)));
  }

  private boolean isCopied(String key) {
    try {
      return namespaceStore
          .read(key)
          .filter(found -> found.json().path(COPIED).asBoolean())
          .isPresent();
    } catch (UnreadableDocumentException e) {
      return false;
    }
  }

  /** Stores a copy under the current time, repeatedly until one is stored in time. */
  private Event publishCopy(Event event) {
    while (true) {
      long begun = namespaceStore.options().time().nanos();
      Event copy =
          new Event(
              event.id(),
              event.namespace(),
              event.type(),
              event.payload(),
              next(namespaceStore.now()),
              event.priority(),
              event.rootEventId(),
              event.chainDepth());
      put(copy);
      if (!isLate(Duration.ofNanos(namespaceStore.options().time().nanos() - begun))) {
        stored.accept(copy);
        return copy;
      }
    }
  }

  /** Stores an event unless it exists; returns whether this call created it. */
  private boolean put(Event event) {
    return put(event, EventJson.write(event));
  }

  private boolean put(Event event, ObjectNode json) {
    try {
      return namespaceStore.write(key(event), Optional.empty(), json).isPresent();
    } catch (OutcomeUnknownException e) {
      if (namespaceStore.store().head(key(event)).isPresent()) {
        return true; // any writer of this key wrote the same event
      }
      throw e;
    }
  }

  private String key(Event event) {
    return namespaceStore
        .layout()
        .key(Kind.EVENTS, NamespaceKeys.eventName(event.createdAt(), event.id()));
  }

  @Override
  public String toString() {
    return namespaceStore.namespace() + ", last published at " + UtcTimestamp.format(last);
  }
}
