// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.model.NamespaceInfo;
import io.tidemark.events.store.NamespaceCounter;
import io.tidemark.events.store.NamespaceKeys;
import io.tidemark.events.store.NamespaceStore;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.objects.ObjectStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Event bus on an object store: events are published in a {@link Namespace}, and each handler there
 * gets each of them at least once.
 *
 * <p>One instance a process is best, since its cache of events serves all handlers in the process.
 * Any number of instances, in any number of processes, work together.
 */
public final class EventBus implements AutoCloseable {

  private final ObjectStore store;
  private final String prefix;
  private final BusOptions options;
  private final Map<String, Namespace> namespaces = new ConcurrentHashMap<>();

  private EventBus(ObjectStore store, String prefix, BusOptions options) {
    this.store = store;
    this.prefix = prefix;
    this.options = options;
  }

  /**
   * Opens a bus, without any request.
   *
   * @param store store of the bus; the caller closes it, after the bus
   * @param prefix prefix of all keys of the bus; empty, or ends with {@code /}
   */
  public static EventBus open(ObjectStore store, String prefix, BusOptions options) {
    if (!prefix.isEmpty()) {
      String unused = ObjectKeys.check(prefix + "events"); // all of its kinds have such keys
    }
    return new EventBus(store, new NamespaceKeys(prefix, "default").prefix(), options);
  }

  /**
   * Returns a namespace of the bus, the same object each time.
   *
   * @throws InvalidNameException when the name isn't valid
   */
  public Namespace namespace(String name) {
    NameValidator.namespace(name);
    return namespaces.computeIfAbsent(
        name,
        checked ->
            new Namespace(new NamespaceStore(store, new NamespaceKeys(prefix, checked), options)));
  }

  /** Returns a summary of each namespace that has any objects, by name. */
  public List<NamespaceInfo> namespaces() {
    return NamespaceCounter.namespaces(store, prefix).stream()
        .map(name -> namespace(name).info())
        .toList();
  }

  public ObjectStore store() {
    return store;
  }

  public String prefix() {
    return prefix;
  }

  public BusOptions options() {
    return options;
  }

  /**
   * Writes the cursors of all handlers, so that the next process to open the bus starts from there.
   */
  @Override
  public void close() {
    namespaces.values().forEach(Namespace::close);
  }
}
