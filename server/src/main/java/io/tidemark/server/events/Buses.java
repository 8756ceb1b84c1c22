// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.BusOptions;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.http.Call;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The event bus of a server, opened once for each length of lease that somebody has asked for: what
 * a bus knows of the past makes the next claim cheap.
 */
public final class Buses implements AutoCloseable {

  /** Few, so that there are few buses; a lease that is too short can be renewed. */
  private static final Map<Long, BusOptions> LEASES = leases(30, 300, 3600);

  private final Optional<ObjectStore> store;
  private final Map<Long, EventBus> open = new TreeMap<>();

  public Buses(Optional<ObjectStore> store) {
    this.store = store;
  }

  private static Map<Long, BusOptions> leases(long... seconds) {
    Map<Long, BusOptions> all = new TreeMap<>();
    for (long each : seconds) {
      all.put(each, BusOptions.standard().withClaimLease(Duration.ofSeconds(each)));
    }
    return all;
  }

  /** The bus, for whatever is no claim. */
  EventBus any() {
    return withLease(30);
  }

  /** The bus whose claims last for so many seconds. */
  synchronized EventBus withLease(long seconds) {
    BusOptions options = LEASES.get(seconds);
    if (options == null) {
      throw Call.invalid("a lease lasts for one of " + LEASES.keySet() + " seconds");
    }
    ObjectStore in =
        store.orElseThrow(
            () ->
                new ProblemException(
                    Problem.of(
                        404,
                        "no-events",
                        "this server has no events, since its names are in no object store; start"
                            + " it with --objects to say where they are")));
    return open.computeIfAbsent(seconds, unused -> EventBus.open(in, "", options));
  }

  @Override
  public synchronized void close() {
    open.values().forEach(EventBus::close);
    open.clear();
  }
}
