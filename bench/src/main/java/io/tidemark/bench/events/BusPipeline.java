// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.WorkerThreads;
import io.tidemark.events.Delivery;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Settlement;
import io.tidemark.objects.ObjectStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Ours: each worker publishes its share, and then they handle all of them together. */
final class BusPipeline implements EventPipeline {

  static final String NAMESPACE = "default";
  static final String HANDLER = "bench";
  static final String TYPE = "order.created";

  private final ObjectStore store;
  private final EventBus bus;
  private final Namespace namespace;

  BusPipeline(ObjectStore store) {
    this(store, BusOptions.standard());
  }

  BusPipeline(ObjectStore store, BusOptions options) {
    this.store = store;
    this.bus = EventBus.open(store, "", options);
    this.namespace = bus.namespace(NAMESPACE);
  }

  Namespace namespace() {
    return namespace;
  }

  @Override
  public void run(int events, WorkerThreads workers) throws Exception {
    AtomicLong handled = new AtomicLong();
    workers.run(
        worker -> {
          for (int i = worker; i < events; i += workers.threads()) {
            namespace.publish(NewEvent.of(TYPE, payload(i)));
          }
        });
    workers.run(worker -> handled.addAndGet(handleAll("worker-" + worker)));
    Expect.equal(events, handled.get());
  }

  /** Until there is nothing left to claim; what others still have in hand is theirs to finish. */
  private long handleAll(String session) {
    ClaimRequest wish = new ClaimRequest(HANDLER, EventTypeFilter.all(), AT_A_TIME, session);
    long handled = 0;
    for (List<Delivery> claimed = namespace.claim(wish);
        !claimed.isEmpty();
        claimed = namespace.claim(wish)) {
      for (Delivery delivery : claimed) {
        handled += delivery.ack() instanceof Settlement.Settled ? 1 : 0;
      }
    }
    return handled;
  }

  /** As long as payloads are that say what has happened and to what. */
  static String payload(long order) {
    return "{\"order\":%d,\"customer\":\"customer-%d\",\"total\":%d.5}"
        .formatted(order, order % 1_000, order % 97);
  }

  @Override
  public void close() {
    bus.close();
    store.close();
  }
}
