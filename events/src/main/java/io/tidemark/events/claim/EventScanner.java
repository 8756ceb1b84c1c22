// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.store.NamespaceKeys;
import io.tidemark.events.store.NamespaceKeys.EventName;
import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.events.store.NamespaceStore;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectKeys;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Scanner that finds the events of a namespace, for all handlers at once and without listing the
 * old ones again.
 *
 * <p>Names sort by time, so most new events are found after the newest known name. As clocks differ
 * and a write takes a while, a name may also appear before known ones, but never further back than
 * the {@linkplain io.tidemark.events.model.BusOptions#overlap overlap}. The names from the
 * <i>settled</i> one, up to which everything has been found, to the newest form an unsettled range,
 * which is listed repeatedly. Once a range has been listed completely, everything older than the
 * start of that listing less the overlap is settled. A short range is listed together with the new
 * names. A long one, as while many events are published, is listed one page at each poll.
 *
 * <p>Events of the future, and other names after all valid ones, are found at every poll and never
 * move the newest name. The clock of the store decides too whether an event is of the future, so
 * that a slow local clock alone doesn't matter.
 *
 * <p>For use by one thread at a time.
 */
final class EventScanner {

  /** Number of keys that S3 lists in one request. */
  private static final int PAGE = 1_000;

  /**
   * Maximum length of an unsettled range that is listed with the new names, which then fit its
   * page.
   */
  private static final int SHORT = PAGE / 2;

  private final NamespaceStore namespaceStore;
  private final EventCache eventCache;
  private final String folder;
  private String newest = "";
  private String settled = "";
  private Optional<Sweep> sweep = Optional.empty();

  /**
   * Progress of listing the unsettled range.
   *
   * @param at name up to which it has been listed
   * @param end newest name when the listing began
   * @param began time when the listing began
   */
  private record Sweep(String at, String end, Instant began) {}

  EventScanner(NamespaceStore namespaceStore, EventCache eventCache) {
    this.namespaceStore = namespaceStore;
    this.eventCache = eventCache;
    this.folder = namespaceStore.layout().folder(Kind.EVENTS);
  }

  /** Starts over after a name: the next polls find all later events again. */
  void restart(String after) {
    newest = after;
    settled = after;
    sweep = Optional.empty();
  }

  /**
   * Result of a scan.
   *
   * @param requests number of requests
   * @param found whether anything new was found
   * @param more whether the scan stopped at the read-ahead limit
   */
  record ScanResult(int requests, boolean found, boolean more) {}

  /** Scans for new events. */
  ScanResult scan() {
    Instant began = namespaceStore.now();
    boolean together = eventCache.count(settled, newest, SHORT + 1) <= SHORT;
    ForwardListing forwardListing =
        new ForwardListing(together ? least(settled, newest) : newest, began);
    forwardListing.list();
    if (together) {
      advanceSettled(
          began, forwardListing.stopped ? forwardListing.end : NamespaceKeys.timeBound(began));
      return new ScanResult(
          forwardListing.requests(), forwardListing.added > 0, forwardListing.stopped);
    }
    int requests = forwardListing.requests() + sweep(began, 1 + 2 * forwardListing.added / PAGE);
    return new ScanResult(requests, forwardListing.added > 0, forwardListing.stopped);
  }

  /** Lists the next pages of the unsettled range. */
  private int sweep(Instant now, int pages) {
    Sweep current = sweep.orElseGet(() -> new Sweep(settled, newest, now));
    int left = pages * PAGE;
    String at = current.at();
    try (Stream<ObjectInfo> names = namespaceStore.list(folder, folder + at)) {
      Iterator<ObjectInfo> next = names.iterator();
      while (left > 0 && ObjectKeys.ORDER.compare(at, current.end()) < 0 && next.hasNext()) {
        ObjectInfo info = next.next();
        at = namespaceStore.layout().name(Kind.EVENTS, info.key());
        eventCache.add(toCachedEvent(at, info, now));
        left--;
      }
      boolean through = left > 0 || ObjectKeys.ORDER.compare(at, current.end()) >= 0;
      if (through) {
        advanceSettled(current.began(), current.end());
        sweep = Optional.empty();
      } else {
        sweep = Optional.of(new Sweep(at, current.end(), current.began()));
      }
    }
    return 1 + (pages * PAGE - left) / (PAGE + 1);
  }

  private void advanceSettled(Instant listedAt, String end) {
    String bound = NamespaceKeys.timeBound(listedAt.minus(namespaceStore.options().overlap()));
    String now = least(bound, end);
    settled = ObjectKeys.ORDER.compare(now, settled) > 0 ? now : settled;
    eventCache.evictDone(settled);
  }

  private static String least(String one, String other) {
    return ObjectKeys.ORDER.compare(one, other) <= 0 ? one : other;
  }

  /** Listing from a name to the end, or up to the read-ahead limit. */
  private final class ForwardListing {
    private final String from;
    private final Instant now;
    private final String future;
    private final int readAhead = namespaceStore.options().limits().readAhead();
    private String end;
    private int listed;
    private int added;
    private int strays;
    private boolean stopped;

    ForwardListing(String from, Instant now) {
      this.from = from;
      this.now = now;
      this.end = from;
      this.future = NamespaceKeys.timeBound(now.plus(namespaceStore.options().overlap()));
    }

    void list() {
      try (Stream<ObjectInfo> names = namespaceStore.list(folder, folder + from)) {
        for (Iterator<ObjectInfo> next = names.iterator(); !isEnough() && next.hasNext(); ) {
          listed++;
          take(next.next());
        }
      }
    }

    private boolean isEnough() {
      stopped = added >= readAhead;
      return stopped || strays >= PAGE;
    }

    private void take(ObjectInfo info) {
      String name = namespaceStore.layout().name(Kind.EVENTS, info.key());
      CachedEvent event = toCachedEvent(name, info, now);
      added += eventCache.add(event) ? 1 : 0;
      if (event.problem().isPresent() && ObjectKeys.ORDER.compare(name, future) > 0) {
        strays++;
        return;
      }
      end = name;
      newest = ObjectKeys.ORDER.compare(name, newest) > 0 ? name : newest;
    }

    int requests() {
      return 1 + listed / (PAGE + 1);
    }
  }

  private CachedEvent toCachedEvent(String name, ObjectInfo info, Instant now) {
    Optional<EventName> parsed = NamespaceKeys.parse(name);
    if (parsed.isEmpty()) {
      String id = namespaceStore.layout().strayId(name);
      Instant when = info.lastModified().truncatedTo(ChronoUnit.MICROS);
      return new CachedEvent(id, name, when, Optional.of("the name " + name + " isn't an event's"));
    }
    EventName event = parsed.get();
    return new CachedEvent(event.id(), name, event.createdAt(), future(event, info, now));
  }

  private Optional<String> future(EventName event, ObjectInfo info, Instant now) {
    Instant later = info.lastModified().isAfter(now) ? info.lastModified() : now;
    return event.createdAt().isAfter(later.plus(namespaceStore.options().overlap()))
        ? Optional.of(
            "its time is "
                + event.createdAt()
                + ", and it was there at "
                + later
                + "; clocks may differ by "
                + namespaceStore.options().maxSkew())
        : Optional.empty();
  }
}
