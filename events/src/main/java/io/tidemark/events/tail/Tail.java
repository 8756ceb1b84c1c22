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
 * Follows the events of a namespace without claiming them.
 *
 * <p>An event can turn up behind one that is known already, as clocks differ and publishing takes
 * time, but no further behind the present than the bus allows for. So each look lists what is
 * younger than that, and tells what it hasn't told before; what is older is never listed again. One
 * that turns up late is told late. Copies of an event are told once if they are that close to each
 * other.
 *
 * <p>For use by one thread.
 */
public final class Tail {

  private final NamespaceStore namespaceStore;

  /** What is young enough for others to turn up beside it: the name of each, and its id. */
  private final TreeMap<String, String> known = new TreeMap<>();

  private Set<String> knownIds = new HashSet<>();

  /** Names up to this one are done with. */
  private String after;

  private Tail(NamespaceStore namespaceStore, String after) {
    this.namespaceStore = namespaceStore;
    this.after = after;
  }

  /** Tells of every event that is there, and then of those to come. */
  public static Tail fromStart(EventBus bus, String namespace) {
    return new Tail(scope(bus, namespace), "");
  }

  /**
   * Tells of all events that may have appeared since a moment, and then of those to come. Among
   * them are some that were published shortly before it.
   */
  public static Tail since(EventBus bus, String namespace, Instant moment) {
    NamespaceStore namespaceStore = scope(bus, namespace);
    return new Tail(
        namespaceStore, NamespaceKeys.timeBound(moment.minus(namespaceStore.options().overlap())));
  }

  /** Tells of events to come. */
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

  /** Before this nothing turns up any more. */
  private static Instant settledBefore(NamespaceStore namespaceStore) {
    return namespaceStore.now().minus(namespaceStore.options().overlap());
  }

  /**
   * Looks for events: a listing, and a read for each that is new.
   *
   * @param reader is told of each, and says whether to go on; what it wasn't told of, it is told of
   *     the next time
   * @return whether it said so to the end
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

  /** Goes through the names of events until there are no more or it is told to stop. */
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
