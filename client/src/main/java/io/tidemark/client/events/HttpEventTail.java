// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.events;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.events.EventTail;
import io.tidemark.api.events.FollowRequest;
import io.tidemark.api.events.TailedEvent;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.StreamedServerResponse;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.UtcTimestamp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tail of a server, a stream of lines.
 *
 * <p>Between events the server says up to when it has looked. After a lost connection the tail asks
 * for what came since then; the server tells some events again, which are left out here.
 */
final class HttpEventTail implements EventTail {

  private static final int WAITING = 1_000;

  /** Far more than are published in the time that a server goes back. */
  private static final int REMEMBERED = 100_000;

  private final ServerConnection serverConnection;
  private final ServerRequest serverRequest;
  private final Set<String> told =
      Collections.newSetFromMap(
          new LinkedHashMap<String, Boolean>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > REMEMBERED;
            }
          });

  /** Time since when events are to be told after a lost connection. */
  private Optional<Instant> since;

  private @Nullable LineStream lineStream;

  HttpEventTail(ServerConnection serverConnection, String namespace, FollowRequest wanted) {
    ServerRequest tail =
        ServerRequest.get("v1", "events", namespace, "tail")
            .header("Accept", "application/x-ndjson");
    for (String type : wanted.types()) {
      tail = tail.query("type", type);
    }
    this.serverConnection = serverConnection;
    this.serverRequest = tail;
    this.since = wanted.since();
    this.lineStream = connect();
  }

  /** Line of a stream: text, or the failure that ended it. */
  private sealed interface Line {

    record Text(String json) implements Line {}

    record Failed(IOException failure) implements Line {}
  }

  private LineStream connect() {
    ServerRequest from =
        since
            .map(moment -> serverRequest.query("since", UtcTimestamp.format(moment)))
            .orElse(serverRequest);
    StreamedServerResponse answer = serverConnection.open(from);
    if (!answer.isSuccess()) {
      throw answer.readWhole().failure();
    }
    return new LineStream(answer);
  }

  @Override
  public Optional<TailedEvent> next(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    if (lineStream == null) {
      lineStream = connect();
    }
    while (true) {
      Optional<Line> line = lineStream.next(end);
      if (line.isEmpty()) {
        return Optional.empty();
      }
      if (line.get() instanceof Line.Failed failed) {
        close();
        throw new StoreUnavailableException(
            serverRequest + ": the stream of events broke off; it goes on with the next try",
            failed.failure());
      }
      Optional<TailedEvent> event = read(lineStream, ((Line.Text) line.get()).json());
      if (event.isPresent() && told.add(event.get().id())) {
        return event;
      }
    }
  }

  /** Reads an event; empty if the line says how far the server has looked. */
  private Optional<TailedEvent> read(LineStream from, String line) {
    JsonNode json = WireJson.parse(line);
    Optional<Instant> looked = UtcTimestamp.parse(json.path("looked_at").asText());
    if (looked.isPresent()) {
      since = looked;
      from.hasLooked = true;
      return Optional.empty();
    }
    return Optional.of(WireJson.read(json, TailedEvent.class));
  }

  @Override
  public void close() {
    if (lineStream != null) {
      lineStream.close();
      lineStream = null;
    }
  }

  /** Connection whose lines are read by a thread of its own. */
  private static final class LineStream implements AutoCloseable {
    private final StreamedServerResponse answer;
    private final BlockingQueue<Line> lines = new ArrayBlockingQueue<>(WAITING);
    private final Thread reader;
    private boolean hasLooked;

    LineStream(StreamedServerResponse answer) {
      this.answer = answer;
      this.reader = new Thread(this::read, "tidemark-event-tail");
      reader.setDaemon(true);
      reader.start();
    }

    /** Returns the next line; before the server has looked once, waits for as long as it takes. */
    Optional<Line> next(long end) throws InterruptedException {
      return hasLooked
          ? Optional.ofNullable(lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS))
          : Optional.of(lines.take());
    }

    private void read() {
      try {
        lines.put(new Line.Failed(end()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // closed: nobody takes lines any more
      }
    }

    private IOException end() throws InterruptedException {
      try (BufferedReader text =
          new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
        for (String line = text.readLine(); line != null; line = text.readLine()) {
          lines.put(new Line.Text(line));
        }
        return new IOException("the server has ended it");
      } catch (IOException e) {
        return e;
      }
    }

    @Override
    public void close() {
      reader.interrupt();
      try {
        answer.close();
      } catch (IOException e) {
        // nothing is read from it any more
      }
    }
  }
}
