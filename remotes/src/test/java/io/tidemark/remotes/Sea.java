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
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Where sites in memory are, in a time of its own, in which waiting takes no time. */
final class Sea {

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

  /** Another sea with the same bytes. */
  Sea copy() {
    Sea copy = new Sea();
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

  FakeClock clock() {
    return clock;
  }

  FakeTime time() {
    return time;
  }

  ObjectBackend backend(String name) {
    return backends.computeIfAbsent(name, n -> new MemoryBackend(clock));
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
