// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.events;

import io.tidemark.api.events.EventTail;
import io.tidemark.api.events.FollowRequest;
import io.tidemark.api.events.TailedEvent;
import io.tidemark.events.EventBus;
import io.tidemark.events.tail.Tail;
import io.tidemark.events.tail.TailItem;
import io.tidemark.objects.MonotonicTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Tail that looks at the store, in this process. */
final class EmbeddedEventTail implements EventTail {

  /** Events that one look reads ahead of the caller. */
  private static final int READ_AHEAD = 1_000;

  private final Tail tail;
  private final String namespace;
  private final List<String> types;
  private final Duration interval;
  private final MonotonicTime time;
  private final Deque<TailedEvent> found = new ArrayDeque<>();

  /** Time from which the store may be looked at again. */
  private long due;

  EmbeddedEventTail(EventBus bus, String namespace, FollowRequest request) {
    this.tail =
        request
            .since()
            .map(moment -> Tail.since(bus, namespace, moment))
            .orElseGet(() -> Tail.fromNow(bus, namespace));
    this.namespace = namespace;
    this.types = request.types();
    this.interval = request.interval();
    this.time = bus.options().time();
    this.due = time.nanos();
  }

  @Override
  public Optional<TailedEvent> next(Duration atMost) throws InterruptedException {
    long end = time.nanos() + atMost.toNanos();
    while (found.isEmpty()) {
      long now = time.nanos();
      if (now - due >= 0) {
        poll();
      } else if (end - now <= 0) {
        return Optional.empty();
      } else {
        time.pause(Duration.ofNanos(Math.min(due - now, end - now)));
        if (Thread.interrupted()) {
          throw new InterruptedException("interrupted while following events");
        }
      }
    }
    return Optional.of(found.remove());
  }

  private void poll() {
    due = time.nanos() + interval.toNanos();
    if (!tail.poll(this::add)) {
      due = time.nanos(); // there is more, once these are taken
    }
  }

  private boolean add(TailItem tailItem) {
    if (types.isEmpty()
        || (tailItem instanceof TailItem.Published published
            && types.contains(published.event().type()))) {
      found.add(EventResultMapper.tailed(namespace, tailItem));
    }
    return found.size() < READ_AHEAD;
  }

  @Override
  public void close() {
    found.clear();
  }
}
