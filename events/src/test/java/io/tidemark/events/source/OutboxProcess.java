// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.Delivery;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.store.EventJson;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.store.Outbox;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What one process has of a {@link OutboxFixture}. */
record OutboxProcess(ObjectStore store, Ledger ledger, EventBus bus) {

  static final String MOVED = "customer.moved";
  static final String POSITION = OutboxFixture.BUS + "outboxes/shop.json";

  Namespace sales() {
    return bus.namespace("sales");
  }

  LedgerOutbox outbox() {
    return LedgerOutbox.open(bus, ledger, "shop");
  }

  Session session() {
    return ledger.session(RecordType.of(Customer.class));
  }

  OutgoingEvent moved(String id) {
    return new OutgoingEvent(
        sales(), NewEvent.of(MOVED, CanonicalJson.object().put("customer", id)).withId(id));
  }

  /** Commits a customer of that id and age, with an event of each of these ids. */
  Optional<Commit> commit(LedgerOutbox outbox, String customer, long age, String... ids) {
    try (Session session = session()) {
      session.ensure(new Customer(customer, age));
      return outbox.commit(session, Map.of(), Stream.of(ids).map(this::moved).toList());
    }
  }

  /** Commits a customer with events and publishes none, as if it died right after the commit. */
  Commit leave(String customer, String... ids) {
    Instant now = store.clock().instant();
    List<ObjectNode> documents =
        Stream.of(ids)
            .map(id -> PreparedEvent.of(moved(id), now, bus.options().limits()))
            .map(preparedEvent -> EventJson.write(preparedEvent.event()))
            .toList();
    try (Session session = session()) {
      session.ensure(new Customer(customer, 1));
      return session.commit(Map.of(), CommitCondition.none(), Outbox.of(documents)).orElseThrow();
    }
  }

  /** Up to which commit all is known to be published. */
  long position() {
    try {
      return CanonicalJson.parse(store.get(POSITION).orElseThrow().bytes())
          .path("commit_id")
          .asLong();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void fail() {
    throw new StoreFailureException("injected: it can't be reached");
  }

  /** All that a handler gets, which it is through with at once. */
  List<Event> deliveries(String handler) {
    List<Event> events = new ArrayList<>();
    ClaimRequest request = new ClaimRequest(handler, EventTypeFilter.all(), 100, "session");
    for (var some = sales().claim(request); !some.isEmpty(); some = sales().claim(request)) {
      some.stream().map(Delivery::event).forEach(events::add);
      some.forEach(Delivery::ack);
    }
    return events;
  }

  List<String> delivered(String handler) {
    return deliveries(handler).stream().map(Event::id).toList();
  }

  /** The keys of all objects below one, without it. */
  List<String> keys(String prefix) {
    try (Stream<ObjectInfo> found = store.list(prefix)) {
      return found.map(info -> info.key().substring(prefix.length())).sorted().toList();
    }
  }
}
