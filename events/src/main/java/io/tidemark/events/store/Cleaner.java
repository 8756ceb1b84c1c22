// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import io.tidemark.events.model.Cleanup;
import io.tidemark.events.model.Cleanup.Unfinished;
import io.tidemark.events.model.CleanupReport;
import io.tidemark.events.model.Event;
import io.tidemark.events.store.ClaimStore.StoredEntry;
import io.tidemark.events.store.DeadLetterWriter.FailedEvent;
import io.tidemark.events.store.NamespaceKeys.ClaimKey;
import io.tidemark.events.store.NamespaceKeys.EventName;
import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.internal.threads.Parallel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Cleaner that deletes old objects.
 *
 * <p>It deletes an event before its claims. In the other order, a process that dies in between
 * would leave a finished event that looks new, and it would be delivered again. In this order such
 * a death leaves claims without an event; the next cleanup finds them, as it lists all claims
 * anyway.
 */
public final class Cleaner {

  private final NamespaceStore namespaceStore;
  private final ClaimStore claimStore;
  private final DeadLetterWriter deadLetterWriter;
  private final EventArchive eventArchive;
  private final Parallel parallel = new Parallel();

  public Cleaner(NamespaceStore namespaceStore, DeadLetterWriter deadLetterWriter) {
    this.namespaceStore = namespaceStore;
    this.claimStore = new ClaimStore(namespaceStore);
    this.deadLetterWriter = deadLetterWriter;
    this.eventArchive = new EventArchive(namespaceStore);
  }

  /** Event with all its names, and the keys of the claims on it. */
  private record Candidate(List<EventName> names, List<String> claims) {}

  public CleanupReport run(Cleanup wanted) {
    // Claims first: the event of each listed claim was there, so if it isn't any more, it is
    // deleted for good.
    Map<String, List<String>> claimKeys = claimKeys();
    Set<String> there = new HashSet<>();
    List<Candidate> candidates = new ArrayList<>();
    for (Map.Entry<String, List<EventName>> event : events(there).entrySet()) {
      there.add(event.getKey());
      List<EventName> names = event.getValue();
      if (names.stream().allMatch(name -> name.createdAt().isBefore(wanted.before()))) {
        candidates.add(new Candidate(names, claimKeys.getOrDefault(event.getKey(), List.of())));
      }
    }
    AtomicLong events = new AtomicLong();
    AtomicLong deleted = new AtomicLong();
    each(
        candidates,
        candidate -> {
          if (isFinished(candidate) || wanted.unfinished() == Unfinished.DELETE) {
            delete(candidate);
            events.incrementAndGet();
            deleted.addAndGet(candidate.claims().size());
          }
        });
    List<String> orphans =
        claimKeys.entrySet().stream()
            .filter(claim -> !there.contains(claim.getKey()))
            .flatMap(claim -> claim.getValue().stream())
            .toList();
    each(orphans, namespaceStore.store()::delete);
    return new CleanupReport(
        events.get(),
        deleted.get() + orphans.size(),
        wanted.deadLettersBefore().map(this::deadLetters).orElse(0L),
        wanted.sessionsBefore().map(this::sessions).orElse(0L),
        candidates.size() - events.get());
  }

  private Map<String, List<String>> claimKeys() {
    Map<String, List<String>> keys = new HashMap<>();
    try (Stream<ObjectInfo> found = namespaceStore.list(Kind.CLAIMS)) {
      found.forEach(
          info -> {
            Optional<ClaimKey> owner = namespaceStore.layout().claimKey(Kind.CLAIMS, info.key());
            owner.ifPresent(
                of -> keys.computeIfAbsent(of.eventId(), id -> new ArrayList<>()).add(info.key()));
          });
    }
    return keys;
  }

  /**
   * Returns all events by their ids.
   *
   * @param strays receives the ids of objects whose name isn't an event's; they stay, and so do
   *     their claims
   */
  private Map<String, List<EventName>> events(Set<String> strays) {
    Map<String, List<EventName>> names = new HashMap<>();
    try (Stream<ObjectInfo> found = namespaceStore.list(Kind.EVENTS)) {
      found
          .map(info -> namespaceStore.layout().name(Kind.EVENTS, info.key()))
          .forEach(
              name ->
                  NamespaceKeys.parse(name)
                      .ifPresentOrElse(
                          event ->
                              names.computeIfAbsent(event.id(), id -> new ArrayList<>()).add(event),
                          () -> strays.add(namespaceStore.layout().strayId(name))));
    }
    return names;
  }

  /** Returns whether a handler has claimed the event and all that did are done with it. */
  private boolean isFinished(Candidate candidate) {
    return !candidate.claims().isEmpty()
        && candidate.claims().stream().allMatch(key -> isFinished(candidate, key));
  }

  private boolean isFinished(Candidate candidate, String key) {
    Optional<StoredEntry> found = claimStore.read(key);
    if (found.isEmpty()) {
      return true;
    }
    if (!(found.get() instanceof StoredEntry.Valid valid) || !valid.stored().claim().isFinished()) {
      return false;
    }
    if (valid.stored().isDeadLetterPending()) { // or the dead letter would lose the event
      deadLetterWriter.complete(valid.stored(), subject(candidate.names().get(0)));
    }
    return true;
  }

  /** Returns the event for a dead letter; the text of one that can't be read. */
  private FailedEvent subject(EventName name) {
    Optional<Event> event = eventArchive.event(name.id());
    String key = namespaceStore.layout().key(Kind.EVENTS, name.name());
    return event
        .map(FailedEvent::of)
        .orElseGet(
            () ->
                new FailedEvent(event, namespaceStore.store().get(key).map(found -> found.text())));
  }

  private void delete(Candidate candidate) {
    candidate
        .names()
        .forEach(
            name ->
                namespaceStore
                    .store()
                    .delete(namespaceStore.layout().key(Kind.EVENTS, name.name())));
    candidate.claims().forEach(namespaceStore.store()::delete);
  }

  private long deadLetters(Instant before) {
    return delete(
        Kind.DEAD_LETTERS,
        before,
        info -> eventArchive.deadLetter(info.key()).map(letter -> letter.failedAt()));
  }

  private long sessions(Instant before) {
    return delete(Kind.SESSIONS, before, info -> lastHeartbeat(info.key()));
  }

  private Optional<Instant> lastHeartbeat(String key) {
    try {
      Optional<NamespaceStore.Document> found = namespaceStore.read(key);
      return found.isEmpty()
          ? Optional.empty()
          : Optional.of(SessionJson.lastHeartbeat(found.get().json()));
    } catch (UnreadableDocumentException e) {
      return Optional.empty();
    }
  }

  /** Time of a stored object; empty to use that of the store, as for an unreadable document. */
  private interface Age {
    Optional<Instant> of(ObjectInfo info);
  }

  private long delete(Kind kind, Instant before, Age age) {
    List<ObjectInfo> all;
    try (Stream<ObjectInfo> found = namespaceStore.list(kind)) {
      all = found.toList();
    }
    AtomicLong deleted = new AtomicLong();
    each(
        all,
        info -> {
          if (age.of(info).orElse(info.lastModified()).isBefore(before)) {
            namespaceStore.store().delete(info.key());
            deleted.incrementAndGet();
          }
        });
    return deleted.get();
  }

  private interface Deletion<T> {
    void to(T thing);
  }

  private <T> void each(List<T> things, Deletion<T> deletion) {
    parallel.run(things.stream().map(thing -> (Runnable) () -> deletion.to(thing)).toList());
  }
}
