// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import io.tidemark.events.model.Claim;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.Inspection;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.store.ClaimStore.StoredEntry;
import io.tidemark.events.store.NamespaceKeys.EventName;
import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.internal.threads.Parallel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reader of the stored state of a namespace, for inspection. Reads all of it, every time. */
public final class EventArchive {

  private static final Logger LOG = LoggerFactory.getLogger(EventArchive.class);

  /** How long before the timestamp in its id the search for an event starts. */
  private static final Duration AROUND = Duration.ofSeconds(2);

  private static final int FEW = 1_000;

  private final NamespaceStore namespaceStore;
  private final ClaimStore claimStore;
  private final Parallel parallel = new Parallel();

  public EventArchive(NamespaceStore namespaceStore) {
    this.namespaceStore = namespaceStore;
    this.claimStore = new ClaimStore(namespaceStore);
  }

  /** Returns the newest events, oldest of them first, each once. */
  public List<ListedEvent> list(int limit) {
    return newest(new ArrayList<>(names().values()), limit);
  }

  /** Returns the newest events before the given one, which needn't be stored any more. */
  public List<ListedEvent> listBefore(Instant createdAt, String eventId, int limit) {
    NameValidator.event(eventId);
    String bound = NamespaceKeys.eventName(createdAt, eventId);
    return newest(
        names().values().stream().filter(each -> each.name().compareTo(bound) < 0).toList(), limit);
  }

  private List<ListedEvent> newest(List<EventName> names, int limit) {
    List<EventName> newest = names.subList(Math.max(0, names.size() - limit), names.size());
    ListedEvent[] lines = new ListedEvent[newest.size()];
    List<Runnable> tasks = new ArrayList<>();
    for (int i = 0; i < lines.length; i++) {
      int at = i;
      tasks.add(() -> lines[at] = line(newest.get(at)));
    }
    parallel.run(tasks);
    return List.of(lines);
  }

  private ListedEvent line(EventName name) {
    return new ListedEvent(name.id(), name.createdAt(), status(claims(name.id())), read(name));
  }

  /** Returns the first name of every event, by id, in order of time. */
  Map<String, EventName> names() {
    Map<String, EventName> names = new LinkedHashMap<>();
    try (Stream<ObjectInfo> keys = namespaceStore.list(Kind.EVENTS)) {
      keys.flatMap(
              info ->
                  NamespaceKeys.parse(namespaceStore.layout().name(Kind.EVENTS, info.key()))
                      .stream())
          .forEach(name -> names.putIfAbsent(name.id(), name));
    }
    return names;
  }

  /** Returns the status of an event, from the claims on it. */
  public EventStatus status(List<Claim> of) {
    Instant now = namespaceStore.now();
    if (of.stream().anyMatch(claim -> claim.deadLetteredAt().isPresent())) {
      return EventStatus.DEAD_LETTERED;
    }
    if (of.stream().anyMatch(claim -> claim.ackAt().isPresent())) {
      return EventStatus.ACKED;
    }
    return of.stream().anyMatch(claim -> claim.isHeldAt(now))
        ? EventStatus.CLAIMED
        : EventStatus.PENDING;
  }

  /** Returns the readable claims on an event, by handler. */
  public List<Claim> claims(String eventId) {
    try (Stream<ObjectInfo> keys =
        namespaceStore.store().list(namespaceStore.layout().claims(eventId))) {
      return keys.flatMap(info -> claimStore.read(info.key()).stream())
          .flatMap(
              storedEntry ->
                  storedEntry instanceof StoredEntry.Valid valid
                      ? Stream.of(valid)
                      : Stream.empty())
          .map(valid -> valid.stored().claim())
          .toList();
    }
  }

  /** Returns everything that is stored about an event; empty when nothing is. */
  public Optional<Inspection> inspect(String eventId) {
    NameValidator.event(eventId);
    Optional<EventName> name = find(eventId);
    List<Claim> claims = claims(eventId);
    List<DeadLetter> letters =
        deadLetters(namespaceStore.layout().deadLetters(eventId), "", Integer.MAX_VALUE);
    if (name.isEmpty() && claims.isEmpty() && letters.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Inspection(eventId, name.flatMap(this::read), status(claims), claims, letters));
  }

  /** Returns an event by its id; empty when there is none, or it can't be read. */
  public Optional<Event> event(String eventId) {
    return find(eventId).flatMap(this::read);
  }

  /** Finds an event: near the time that its id has, or else among all events. */
  private Optional<EventName> find(String eventId) {
    return nearby(eventId).or(() -> first(eventId, "", Long.MAX_VALUE));
  }

  private Optional<EventName> nearby(String eventId) {
    try {
      UUID uuid = UUID.fromString(eventId);
      if (uuid.version() != 7) {
        return Optional.empty();
      }
      Instant made = Instant.ofEpochMilli(uuid.getMostSignificantBits() >>> 16);
      return first(eventId, NamespaceKeys.timeBound(made.minus(AROUND)), FEW);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // an id that the bus didn't create
    }
  }

  private Optional<EventName> first(String eventId, String after, long most) {
    String folder = namespaceStore.layout().folder(Kind.EVENTS);
    try (Stream<ObjectInfo> keys = namespaceStore.list(folder, folder + after)) {
      return keys.limit(most)
          .flatMap(
              info ->
                  NamespaceKeys.parse(namespaceStore.layout().name(Kind.EVENTS, info.key()))
                      .stream())
          .filter(name -> name.id().equals(eventId))
          .findFirst();
    }
  }

  private Optional<Event> read(EventName name) {
    Optional<StoredObject> found =
        namespaceStore.store().get(namespaceStore.layout().key(Kind.EVENTS, name.name()));
    try {
      return found.isEmpty()
          ? Optional.empty()
          : Optional.of(EventJson.read(namespaceStore.namespace(), name, found.get().bytes()));
    } catch (UnreadableDocumentException e) {
      LOG.warn("the event {} {}", name.name(), e.problem());
      return Optional.empty();
    }
  }

  /** Returns the dead letters, by event and handler. */
  public List<DeadLetter> deadLetters(int limit) {
    return deadLetters(namespaceStore.layout().folder(Kind.DEAD_LETTERS), "", limit);
  }

  /**
   * Returns the dead letters after that of an event and a handler, which needn't be stored any
   * more.
   */
  public List<DeadLetter> deadLettersAfter(String eventId, String handlerId, int limit) {
    NameValidator.event(eventId);
    NameValidator.handler(handlerId);
    return deadLetters(
        namespaceStore.layout().folder(Kind.DEAD_LETTERS),
        namespaceStore.layout().deadLetter(eventId, handlerId),
        limit);
  }

  private List<DeadLetter> deadLetters(String prefix, String after, int limit) {
    try (Stream<ObjectInfo> keys = namespaceStore.list(prefix, after)) {
      return keys.flatMap(info -> deadLetter(info.key()).stream()).limit(limit).toList();
    }
  }

  /** Reads a dead letter; empty when there is none, or it can't be read. */
  Optional<DeadLetter> deadLetter(String key) {
    try {
      Optional<NamespaceStore.Document> found = namespaceStore.read(key);
      return found.isEmpty()
          ? Optional.empty()
          : Optional.of(DeadLetterJson.read(found.get().json()));
    } catch (UnreadableDocumentException e) {
      LOG.warn("{} {}", key, e.problem());
      return Optional.empty();
    }
  }
}
