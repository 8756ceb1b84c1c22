// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.objects.FakeClock;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Where sites are, in memory if nobody says otherwise, in a time of its own, in which waiting takes
 * no time.
 */
final class SiteEnvironment {

  static final Duration LEASE = Duration.ofSeconds(30);

  private final FakeClock clock = new FakeClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final FakeTime time =
      new FakeTime() {
        @Override
        public synchronized void advance(Duration duration) {
          super.advance(duration);
          clock.jump(duration);
        }
      };
  private final Map<String, ObjectBackend> backends = new HashMap<>();
  private final Function<String, ObjectBackend> stores;

  /** One in memory. */
  SiteEnvironment() {
    this.stores = name -> new MemoryBackend(clock);
  }

  /**
   * One elsewhere.
   *
   * @param stores empty ones by the names of sites; what time it is they are told here
   */
  private SiteEnvironment(Function<String, ObjectBackend> stores) {
    this.stores = name -> new Dated(stores.apply(name), clock);
  }

  /** What a store takes for the time. */
  private static final class Dated extends ForwardingBackend {
    private final Clock clock;

    Dated(ObjectBackend wrapped, Clock clock) {
      super(wrapped);
      this.clock = clock;
    }

    @Override
    public Clock clock() {
      return clock;
    }
  }

  /** Another sea with the same bytes. */
  SiteEnvironment copy() {
    return copyTo(new SiteEnvironment());
  }

  /** Another sea with the same bytes in other stores. */
  SiteEnvironment copyTo(Function<String, ObjectBackend> others) {
    return copyTo(new SiteEnvironment(others));
  }

  private SiteEnvironment copyTo(SiteEnvironment copy) {
    copy.clock.jump(Duration.between(copy.clock.instant(), clock.instant()));
    backends.forEach(
        (name, backend) -> {
          ObjectStore from = new ObjectStore(backend, time.retry());
          ObjectStore to = new ObjectStore(copy.backend(name), time.retry());
          List<String> keys;
          try (Stream<ObjectInfo> found = from.list("")) {
            keys = found.map(ObjectInfo::key).toList();
          }
          for (String key : keys) {
            to.put(key, Body.of(from.get(key).orElseThrow().bytes()), Condition.none());
          }
        });
    return copy;
  }

  /** Nobody goes there any more. */
  void close() {
    backends.values().forEach(ObjectBackend::close);
  }

  FakeClock clock() {
    return clock;
  }

  FakeTime time() {
    return time;
  }

  ObjectBackend backend(String name) {
    return backends.computeIfAbsent(name, stores);
  }

  Site site(String name) {
    return site(name, backend(name));
  }

  /** A site as somebody sees it whose requests go through this backend. */
  Site site(String name, ObjectBackend backend) {
    return new Site(name, backend, time.retry(), options(name));
  }

  private LedgerOptions options(String name) {
    return LedgerOptions.standard()
        .withWriter(
            new WriterSettings(
                name, LEASE, LEASE.multipliedBy(2), Duration.ZERO, time.retry(), time));
  }
}
