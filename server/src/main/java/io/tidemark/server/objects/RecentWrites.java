// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.objects.ETag;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Record of the attempts that wrote versions through this server recently.
 *
 * <p>A store that can't lose an answer, such as a directory, keeps no attempt ids. But an answer
 * can get lost between the server and its client. So the server keeps them, as long as a client may
 * ask for them. For evicted attempts and those of other servers it returns nothing, and the client
 * treats the outcome as unknown.
 *
 * <p>A version becomes visible shortly before the server knows its attempt. A reader that asks in
 * between waits for the write to end, within limits.
 */
final class RecentWrites {

  private static final int KEPT = 1 << 15;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private record Version(String key, ETag etag) {}

  private final Map<Version, String> attempts =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, String> eldest) {
          return size() > KEPT;
        }
      };
  private final Map<String, Integer> underWay = new HashMap<>();

  /** Registers a write before it becomes visible. */
  synchronized void beginWrite(String key) {
    underWay.merge(key, 1, Integer::sum);
  }

  /** Records the attempt of a successful write. */
  synchronized void recordWrite(String key, ETag etag, String attempt) {
    attempts.put(new Version(key, etag), attempt);
  }

  /** Unregisters a write, whatever its outcome. */
  synchronized void endWrite(String key) {
    underWay.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
    notifyAll();
  }

  /** Returns the attempt that wrote a version; empty if it is unknown here. */
  synchronized Optional<String> attempt(String key, ETag etag) {
    Version version = new Version(key, etag);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!attempts.containsKey(version) && underWay.containsKey(key)) {
      long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
      if (left <= 0) {
        break;
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    return Optional.ofNullable(attempts.get(version));
  }
}
