// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.tail;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.store.EventJson;
import io.tidemark.events.store.NamespaceKeys;
import io.tidemark.events.store.NamespaceKeys.EventName;
import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.events.store.NamespaceStore;
import io.tidemark.events.store.UnreadableDocumentException;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.StoredObject;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Tail of a namespace: follows its events without claiming them.
 *
 * <p>An event can appear before one that is known already, as clocks differ and publishing takes
 * time, but no further back than the bus allows for. So each poll lists the events that are younger
 * than that, and delivers the new ones; older events are never listed again. A late event is
 * delivered late. Copies of an event are delivered once if they are that close to each other.
 *
 * <p>For use by one thread.
 */
public final class Tail {

  private final NamespaceStore namespaceStore;

  /** Known events near which others may still appear: id by name. */
  private final TreeMap<String, String> known = new TreeMap<>();

  private Set<String> knownIds = new HashSet<>();

  /** Name up to which all events have been delivered. */
  private String after;

  private Tail(NamespaceStore namespaceStore, String after) {
    this.namespaceStore = namespaceStore;
    this.after = after;
  }

  /** Opens a tail that delivers every stored event, and then new ones. */
  public static Tail fromStart(EventBus bus, String namespace) {
    return new Tail(scope(bus, namespace), "");
  }

  /**
   * Opens a tail that delivers all events that may have appeared since a moment, and then new ones.
   * Among them are some that were published shortly before it.
   */
  public static Tail since(EventBus bus, String namespace, Instant moment) {
    NamespaceStore namespaceStore = scope(bus, namespace);
    return new Tail(
        namespaceStore, NamespaceKeys.timeBound(moment.minus(namespaceStore.options().overlap())));
  }

  /** Opens a tail that delivers new events. */
  public static Tail fromNow(EventBus bus, String namespace) {
    NamespaceStore namespaceStore = scope(bus, namespace);
    Tail tail = new Tail(namespaceStore, NamespaceKeys.timeBound(settledBefore(namespaceStore)));
    tail.each(name -> tail.remember(name));
    return tail;
  }

  private static NamespaceStore scope(EventBus bus, String namespace) {
    NameValidator.namespace(namespace);
    return new NamespaceStore(
        bus.store(), new NamespaceKeys(bus.prefix(), namespace), bus.options());
  }

  /** Returns the time before which no event can appear any more. */
  private static Instant settledBefore(NamespaceStore namespaceStore) {
    return namespaceStore.now().minus(namespaceStore.options().overlap());
  }

  /**
   * Polls for events: a listing, and a read for each new one.
   *
   * @param reader receives each event, and returns whether to go on; the next poll delivers the
   *     remaining events
   * @return whether the reader went on to the end
   */
  public boolean poll(Predicate<TailItem> reader) {
    String settled = NamespaceKeys.timeBound(settledBefore(namespaceStore));
    boolean finished =
        each(
            name -> {
              boolean goOn = knownIds.contains(name.id()) || deliver(name, reader);
              if (name.name().compareTo(settled) > 0) {
                remember(name);
              } else {
                after = name.name();
              }
              return goOn;
            });
    if (finished && after.compareTo(settled) < 0) {
      after = settled;
    }
    known.headMap(after, true).clear();
    knownIds = new HashSet<>(known.values());
    return finished;
  }

  private boolean remember(EventName name) {
    known.put(name.name(), name.id());
    knownIds.add(name.id());
    return true;
  }

  private boolean deliver(EventName name, Predicate<TailItem> reader) {
    Optional<StoredObject> found =
        namespaceStore.store().get(namespaceStore.layout().key(Kind.EVENTS, name.name()));
    return found.isEmpty() || reader.test(read(name, found.get())); // cleaned up meanwhile
  }

  private TailItem read(EventName name, StoredObject object) {
    try {
      return new TailItem.Published(
          EventJson.read(namespaceStore.namespace(), name, object.bytes()));
    } catch (UnreadableDocumentException e) {
      return new TailItem.Unreadable(name.id(), name.createdAt(), e.problem());
    }
  }

  /** Visits the names of events until there are no more or the action returns false. */
  private boolean each(Predicate<EventName> action) {
    String folder = namespaceStore.layout().folder(Kind.EVENTS);
    String future =
        NamespaceKeys.timeBound(namespaceStore.now().plus(namespaceStore.options().overlap()));
    try (Stream<ObjectInfo> listing =
        after.isEmpty()
            ? namespaceStore.list(Kind.EVENTS)
            : namespaceStore.list(folder, folder + after)) {
      Iterator<String> names =
          listing
              .map(info -> namespaceStore.layout().name(Kind.EVENTS, info.key()))
              .takeWhile(name -> name.compareTo(future) < 0)
              .iterator();
      while (names.hasNext()) {
        Optional<EventName> name = NamespaceKeys.parse(names.next());
        if (name.isPresent() && !action.test(name.get())) {
          return false;
        }
      }
    }
    return true;
  }
}
