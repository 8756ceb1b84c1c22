// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.server.OpenApiResponseValidator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A client of server-sent events that reads when it is told to, on a socket of its own, so that a
 * test decides where it stops reading or goes away.
 */
final class SseClient implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();

  /** An event; the id is the last that was told, as browsers have it. */
  record Event(String name, Optional<String> id, JsonNode data) {}

  private final Socket socket;
  private final BufferedReader in;
  private final String path;
  private final List<String> head = new ArrayList<>();
  private Optional<String> lastId = Optional.empty();

  private SseClient(URI uri, List<String> headers, int receiveBuffer) throws IOException {
    socket = new Socket();
    path = uri.getRawPath();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
    socket.setSoTimeout(20_000); // only a hang takes that long
    StringBuilder request = new StringBuilder("GET ").append(uri.getRawPath());
    Optional.ofNullable(uri.getRawQuery()).ifPresent(query -> request.append('?').append(query));
    request.append(" HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n");
    headers.forEach(header -> request.append(header).append("\r\n"));
    socket.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.US_ASCII));
    in =
        new BufferedReader(
            new InputStreamReader(
                new ChunkedBodyStream(socket.getInputStream(), head), StandardCharsets.UTF_8));
  }

  static SseClient open(URI uri, String... headers) {
    return open(uri, 0, headers);
  }

  /** One whose side of the connection takes in only so much before it is read. */
  static SseClient open(URI uri, int receiveBuffer, String... headers) {
    try {
      return new SseClient(uri, List.of(headers), receiveBuffer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static SseClient after(URI uri, String id) {
    return open(uri, "Last-Event-ID: " + id);
  }

  /** The next event; comments are passed over. Null at the end of the stream. */
  @Nullable Event next() {
    try {
      String name = "message";
      String data = "";
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.isEmpty()) {
          if (!data.isEmpty()) {
            return new Event(name, lastId, JSON.readTree(data));
          }
          name = "message";
        } else if (line.startsWith("id: ")) {
          lastId = Optional.of(line.substring(4));
        } else if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        }
      }
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next line as it comes; null at the end. */
  @Nullable String line() {
    try {
      return in.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Event expect(String name) {
    Event event = next();
    if (event == null || !event.name().equals(name)) {
      throw new AssertionError("expected " + name + ", got " + event);
    }
    return event;
  }

  /** Reads a snapshot to its end. */
  List<JsonNode> snapshot() {
    List<JsonNode> items = new ArrayList<>();
    held();
    for (Event event = next(); event != null; event = next()) {
      if (event.name().equals("ready")) {
        return items;
      }
      if (!event.name().equals("snapshot")) {
        throw new AssertionError("in the middle of a snapshot: " + event);
      }
      items.add(event.data());
    }
    throw new AssertionError("the stream ended in the middle of a snapshot");
  }

  /** Holds the head of the answer to what was promised. */
  private void held() {
    try {
      in.mark(1);
      in.read();
      in.reset();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int status = Integer.parseInt(head.get(0), 9, 12, 10);
    Optional<String> type =
        head.stream()
            .filter(line -> line.regionMatches(true, 0, "Content-Type: ", 0, 14))
            .map(line -> line.substring(14))
            .findFirst();
    OpenApiResponseValidator.check("GET", path, status, type, "retry: 2000");
  }

  Optional<String> lastId() {
    return lastId;
  }

  List<String> head() {
    return head;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
