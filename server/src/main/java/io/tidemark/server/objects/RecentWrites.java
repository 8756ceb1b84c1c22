// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import io.tidemark.objects.ETag;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which attempt wrote which version, of the writes that went through this server lately.
 *
 * <p>A store that can't lose an answer, such as a directory, keeps no attempts; but between it and
 * a client of the server an answer can get lost. So the server keeps them, for as long as a client
 * may ask for them. What it doesn't know any more, or another server wrote, it says nothing about,
 * and the client takes the outcome for unknown.
 *
 * <p>Between the moment at which a version can be seen and the one at which it is known here lies
 * the end of the write. Whoever asks in that moment waits for it, within limits.
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

  /** A write is about to be seen. */
  synchronized void beginWrite(String key) {
    underWay.merge(key, 1, Integer::sum);
  }

  /** It was made. */
  synchronized void recordWrite(String key, ETag etag, String attempt) {
    attempts.put(new Version(key, etag), attempt);
  }

  /** It has ended, in whatever way. */
  synchronized void endWrite(String key) {
    underWay.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
    notifyAll();
  }

  /** The attempt that wrote a version; empty when that isn't known here. */
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
