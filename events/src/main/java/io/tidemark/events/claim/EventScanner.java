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
 * Finds the events of a namespace, for all handlers at once and without listing the old ones again.
 *
 * <p>Names sort by time, so new ones are found behind the newest. Not all: clocks differ, and a
 * write takes a while, so that a name may appear before others that are there already. But not
 * before those that are older than the {@linkplain io.tidemark.events.model.BusOptions#overlap
 * overlap}. So there is a stretch of names, from where all is <i>settled</i> to the newest, that is
 * listed again and again. What has been listed as a whole since some moment is settled up to that
 * moment less the overlap. While the stretch is short, it is listed together with what is new; when
 * it is long, as while many are published, a page of it each time.
 *
 * <p>An event of the future, and anything else behind all names that can be, is found at every look
 * and never moves the newest. Whether it is of the future is judged by the clock of the store too:
 * if only ours is slow, nothing is the matter.
 *
 * <p>For use by one thread at a time.
 */
final class EventScanner {

  /** What S3 lists in one request. */
  private static final int PAGE = 1_000;

  /** While there are no more names than that to be listed again, new ones fit on the same page. */
  private static final int SHORT = PAGE / 2;

  private final NamespaceStore namespaceStore;
  private final EventCache eventCache;
  private final String folder;
  private String newest = "";
  private String settled = "";
  private Optional<Sweep> sweep = Optional.empty();

  /**
   * A way through the unsettled stretch.
   *
   * @param at how far it has come
   * @param end the newest name when it began
   * @param began when
   */
  private record Sweep(String at, String end, Instant began) {}

  EventScanner(NamespaceStore namespaceStore, EventCache eventCache) {
    this.namespaceStore = namespaceStore;
    this.eventCache = eventCache;
    this.folder = namespaceStore.layout().folder(Kind.EVENTS);
  }

  /** All events after this name are to be looked for, also those that were found before. */
  void restart(String after) {
    newest = after;
    settled = after;
    sweep = Optional.empty();
  }

  /**
   * What a look has brought.
   *
   * @param requests how many it took
   * @param found whether there was anything new
   * @param more whether it was broken off, as there was enough
   */
  record ScanResult(int requests, boolean found, boolean more) {}

  /** Looks for events. */
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

  /** Goes on through the unsettled stretch. */
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

  /** A listing from some name to the end, or as far as is wanted. */
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
