// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.EventTail;
import io.tidemark.api.events.TailedEvent;
import io.tidemark.names.UnicodeText;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.ProgressStream;
import io.tidemark.server.http.RevalidatingCaller;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Streams of events as lines of JSON, each written by the thread of its request. A line without an
 * event gives a time up to which the stream is complete.
 */
final class EventTailStreams implements AutoCloseable {

  /** Maximum number of streams, since each holds a thread. */
  private static final int MOST = 100;

  /** Maximum time without a line, so that a write detects a disconnected client. */
  private static final Duration BEAT = Duration.ofSeconds(2);

  /** Safety margin that is subtracted from the time up to which a tail is reported as complete. */
  private static final Duration LOOK = Duration.ofSeconds(15);

  /** Interval at which the access of a caller is checked again. */
  private static final Duration RECHECK = Duration.ofSeconds(15);

  private final Clock clock = Clock.systemUTC();
  private final AtomicInteger open = new AtomicInteger();
  private volatile boolean closed;

  /** Returns the answer that streams a tail, and opens the tail. */
  RouteResponse reply(HttpRequestContext httpRequestContext, Supplier<EventTail> opened) {
    if (!ProgressStream.isAccepted(httpRequestContext)) {
      throw HttpRequestContext.invalid(
          "the tail is a stream; ask with \"Accept: " + ProgressStream.LINES + '"');
    }
    if (closed || open.incrementAndGet() > MOST) {
      open.decrementAndGet();
      throw new ProblemException(
          Problem.of(
              503,
              "busy",
              MOST
                  + " streams of events are open, which is all this server takes, or it is"
                  + " stopping; try another, or again in a moment"),
          Map.of("Retry-After", "10"));
    }
    EventTail tail;
    try {
      tail = opened.get();
    } catch (RuntimeException e) {
      open.decrementAndGet();
      throw e;
    }
    return new RouteResponse.Streamed(
        200,
        ProgressStream.LINES,
        RouteResponse.BodyWriter.closing(
            () -> {
              tail.close();
              open.decrementAndGet();
            },
            out -> write(tail, httpRequestContext.revalidatingCaller(), out)),
        RouteResponse.AT_ONCE);
  }

  private void write(EventTail tail, RevalidatingCaller revalidatingCaller, OutputStream out)
      throws IOException {
    try {
      boolean told = true;
      long checked = System.nanoTime();
      while (!closed) {
        if (System.nanoTime() - checked >= RECHECK.toNanos()) {
          checked = System.nanoTime();
          if (revalidatingCaller.revocationReason().isPresent()) {
            return;
          }
        }
        Instant asked = clock.instant();
        Optional<TailedEvent> event = tail.next(told ? Duration.ZERO : BEAT);
        told = event.isPresent();
        write(event.map(WireJson::tree).orElseGet(() -> checkedLine(asked)), out);
        if (!told) {
          out.flush();
        }
      }
    } catch (TidemarkException e) {
      throw new IOException("the events can't be followed at the moment", e);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("the server stops");
    }
  }

  private static JsonNode checkedLine(Instant asked) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("looked_at", UtcTimestamp.format(asked.minus(LOOK)));
  }

  private static void write(JsonNode line, OutputStream out) throws IOException {
    out.write(UnicodeText.bytes(line));
    out.write('\n');
  }

  /** Ends all streams; each notices within a few seconds. */
  @Override
  public void close() {
    closed = true;
  }
}
