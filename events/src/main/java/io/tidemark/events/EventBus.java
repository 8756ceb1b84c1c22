// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.objects.ObjectStore;
import java.util.List;

/**
 * A bus on an object store: events are published in a {@link Namespace}, and each handler there
 * gets each of them at least once.
 *
 * <p>One instance a process is best, since what it knows of events serves all handlers in it; any
 * number of instances, in any number of processes, work together.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class EventBus implements AutoCloseable {

  private final ObjectStore store;
  private final String prefix;
  private final BusOptions options;

  private EventBus(ObjectStore store, String prefix, BusOptions options) {
    this.store = store;
    this.prefix = prefix;
    this.options = options;
  }

  /**
   * Opens a bus, without any request.
   *
   * @param store which the caller closes, after the bus
   * @param prefix of all its keys; empty, or ends with {@code /}
   */
  public static EventBus open(ObjectStore store, String prefix, BusOptions options) {
    return new EventBus(store, prefix, options);
  }

  /**
   * A part of the bus, the same object each time.
   *
   * @throws InvalidNameException when it can't have that name
   */
  public Namespace namespace(String name) {
    throw new UnsupportedOperationException(name);
  }

  /** What there is in each namespace that has anything, by name. */
  public List<NamespaceInfo> namespaces() {
    throw new UnsupportedOperationException();
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

  /** Writes down how far its handlers are, so that the next to open it needn't find out. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
