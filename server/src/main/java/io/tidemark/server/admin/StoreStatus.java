// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.BusOptions;
import io.tidemark.events.EventBus;
import io.tidemark.events.NamespaceInfo;
import io.tidemark.events.view.EventView;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.objects.ObjectStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How all is in a store: names with their heads, how far indices lag, who holds locks, how many
 * events wait.
 *
 * @param location where the names are
 * @param names those that there was room for
 * @param more whether there are others
 * @param queues namespaces of events
 */
public record StoreStatus(
    String location, List<Named> names, boolean more, List<NamespaceInfo> queues) {

  public StoreStatus {
    names = List.copyOf(names);
    queues = List.copyOf(queues);
  }

  /** A record, and the lock on it. */
  public record Named(NameRecord record, Optional<Lock> lock) {

    /** By how many commits the index is behind; empty for what has none. */
    public Optional<Long> lag() {
      boolean both =
          record.meta().kind() == Kind.LEDGER
              && record.commit().id().isPresent()
              && record.indexed().id().isPresent();
      return both
          ? Optional.of(Math.max(0, record.commit().t() - record.indexed().t()))
          : Optional.empty();
    }

    public String state() {
      return record.meta().retracted()
          ? "retracted"
          : record.status().payload().flatMap(p -> p.string("state")).orElse("?");
    }
  }

  /**
   * Looks.
   *
   * @param limit how many names at most
   */
  public static StoreStatus of(NameService names, int limit) {
    List<Named> found = new ArrayList<>();
    try (Stream<NameRecord> records = names.list(RecordFilter.all().atMost(limit + 1L))) {
      records.forEach(record -> found.add(new Named(record, lock(names, record))));
    }
    boolean more = found.size() > limit;
    return new StoreStatus(
        names.location(),
        more ? found.subList(0, limit) : found,
        more,
        names.objects().map(StoreStatus::queues).orElse(List.of()));
  }

  private static Optional<Lock> lock(NameService names, NameRecord record) {
    SoftLocks locks = new SoftLocks(names, Clock.systemUTC(), Duration.ofMinutes(1));
    boolean mentioned =
        record.status().payload().map(p -> p.toJson().contains("_lock\":")).orElse(false);
    if (!mentioned || record.meta().retracted()) {
      return Optional.empty();
    }
    return Stream.of(Purpose.values())
        .flatMap(purpose -> locks.find(record.address(), purpose).stream())
        .filter(lock -> lock.expiresAt() > Instant.now().getEpochSecond())
        .findFirst();
  }

  private static List<NamespaceInfo> queues(ObjectStore store) {
    try (EventBus bus = EventBus.open(store, "", BusOptions.standard())) {
      return bus.namespaces();
    }
  }

  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("data", location);
    ArrayNode list = json.putArray("names");
    for (Named each : names) {
      ObjectNode one =
          list.addObject()
              .put("address", each.record().address().toString())
              .put("kind", each.record().meta().kind().word())
              .put("state", each.state())
              .put("head", each.record().commit().t());
      each.lag().ifPresentOrElse(lag -> one.put("lag", lag), () -> one.putNull("lag"));
      one.put("lock", each.lock().map(Lock::holder).orElse(null));
    }
    json.put("more", more);
    ArrayNode namespaces = json.putArray("events");
    queues.forEach(queue -> namespaces.add(EventView.json(queue)));
    return json;
  }
}
