// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import io.tidemark.api.Cancellation;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureTail;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.client.ServerRequest;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** Tail of a server, which holds each request until there is a transaction, or for some seconds. */
final class HttpFeatureTail implements FeatureTail {

  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final FeatureServer server;
  private final Duration longest;
  private final Deque<FeatureTransaction> fetched = new ArrayDeque<>();
  private final Cancellation closing = new Cancellation();
  private volatile boolean closed;
  private long position;

  HttpFeatureTail(FeatureServer server, long after) {
    // An answer has to begin before the time limit of the connection is over.
    Duration half = server.connection().server().timeout().dividedBy(2);
    this.server = server;
    this.longest = half.compareTo(LONGEST) < 0 ? half : LONGEST;
    this.position = after;
  }

  @Override
  public Optional<FeatureTransaction> next(Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    long left = atMost.toNanos();
    while (fetched.isEmpty() && !closed) {
      fetch(Math.max(0, Math.min(left, longest.toNanos())));
      left = end - System.nanoTime();
      if (left <= 0) {
        break;
      }
    }
    return closed ? Optional.empty() : Optional.ofNullable(fetched.poll());
  }

  private void fetch(long nanos) {
    ServerRequest changes =
        server
            .request("GET", "v1", "changes")
            .query("after", Long.toString(position))
            .query("wait", Duration.ofNanos(nanos).toMillis() + "ms");
    try {
      FeatureChanges found =
          WireJson.read(
              server.connection().send(changes, closing).orThrow().json(), FeatureChanges.class);
      fetched.addAll(found.items());
      position = found.after();
    } catch (TidemarkException e) {
      if (!closed) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    closing.cancel(new TidemarkException(ErrorCode.STOPPED, "the tail of the log was closed"));
  }
}
