// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.http.Limits;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers who don't take long answers, and have all the places of queries between them. */
final class SlowClientsTest {

  /** More than the buffers of a connection hold. */
  private static final int ROWS = 6_000;

  private static final int WIDTH = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final String LINES = "application/x-ndjson";
  private static final String DOCUMENT = "application/json";

  @TempDir private static Path directory;
  private static LedgerTestServer house;

  /** With one place. */
  @BeforeAll
  static void start() {
    house = house(1, Duration.ofSeconds(30)).withCustomers();
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < ROWS; i++) {
      lines
          .append("{\"id\":\"n%05d\",\"age\":1,\"tier\":\"".formatted(i))
          .append("x".repeat(WIDTH))
          .append("\",\"note\":null}\n");
    }
    assertThat(
            house
                .send(
                    "POST",
                    "/v1/ledgers/crm/commits?type=Customer",
                    lines.toString(),
                    "Content-Type",
                    LINES)
                .statusCode())
        .isEqualTo(201);
  }

  /** One where nobody is ended for taking nothing at all. */
  private static LedgerTestServer house(int places, Duration time) {
    Limits standard = Limits.standard();
    return new LedgerTestServer(
        directory,
        settings ->
            settings.withLimits(
                standard
                    .withPace(new Limits.Pace(Duration.ofMinutes(5), Duration.ofMinutes(5), 1))
                    .withSql(standard.sql().withTime(time))
                    .withCrowd(new Limits.Concurrency(1_000, 128, 64, places))));
  }

  @AfterAll
  static void stop() {
    house.close();
  }

  /** Asks, and takes no more than the first bytes. */
  private static Socket begin(LedgerTestServer of, String path, String accept) throws IOException {
    return begin(of, "GET /v1/ledgers/crm/" + path, accept, "");
  }

  private static Socket begin(LedgerTestServer of, String request, String accept, String body)
      throws IOException {
    URI address = of.server.server().address();
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(60_000); // only a hang meets it
    socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
    socket
        .getOutputStream()
        .write(
            "%s HTTP/1.0\r\nHost: 127.0.0.1\r\nAccept: %s\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(request, accept, body.length(), body)
                .getBytes(StandardCharsets.US_ASCII));
    assertThat(new String(socket.getInputStream().readNBytes(9), StandardCharsets.US_ASCII))
        .isEqualTo("HTTP/1.1 ");
    return socket;
  }

  /** How much still comes, until the server closes the connection. */
  private static long length(Socket socket) throws IOException {
    return socket.getInputStream().transferTo(OutputStream.nullOutputStream());
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void changesThatAreNotTakenInTimeAreBrokenOff() throws Exception {
    List<Socket> readers = new ArrayList<>();
    try (LedgerTestServer hasty = house(2, LIMIT)) {
      readers.add(begin(hasty, "commits/2/changes", LINES));
      readers.add(begin(hasty, "commits/2/changes", DOCUMENT));
      long begun = System.nanoTime(); // all have the first bytes, so their time runs
      await().until(() -> System.nanoTime() - begun > LIMIT.toNanos());
      for (Socket reader : readers) {
        assertThat(length(reader)).isLessThan((long) ROWS * WIDTH);
      }
      await().until(() -> hasty.get("/v1/ledgers/crm/commits/1/changes").statusCode() == 200);
    } finally {
      close(readers);
    }
  }

  @Test
  void differencesThatWereSetAsideAreReadInNobodysPlace() throws Exception {
    List<Socket> readers = new ArrayList<>();
    try {
      readers.add(begin(house, "diff?from=1&to=2", DOCUMENT));
      readers.add(begin(house, "diff?from=1&to=2", LINES));
      assertThat(house.get("/v1/ledgers/crm/commits/1/changes").statusCode()).isEqualTo(200);
      for (Socket reader : readers) {
        assertThat(length(reader)).isGreaterThan((long) ROWS * WIDTH);
      }
    } finally {
      close(readers);
    }
  }

  /** Those who go at once, and those who say that they have nothing more to say, and then read. */
  @Test
  void whoGoesInTheMiddleOfAnAnswerLeavesNothingBehind() throws Exception {
    try (LedgerTestServer full = house(4, Duration.ofSeconds(30))) {
      comeAndGo(full);
      comeAndGo(full); // there is a place for each of them again
    }
  }

  /** With a place for each who needs one. */
  private static void comeAndGo(LedgerTestServer full) throws IOException {
    String query = "{\"type\":\"Customer\"}";
    List<Socket> readers = new ArrayList<>();
    try {
      for (String set : List.of(DOCUMENT, LINES)) {
        for (int i = 0; i < 2; i++) {
          readers.add(begin(full, "diff?from=1&to=2", set));
          readers.add(
              set.equals(LINES)
                  ? begin(full, "POST /v1/ledgers/crm/query", LINES, query)
                  : begin(full, "export", LINES));
          readers.add(begin(full, "GET /v1/watch", "text/event-stream", ""));
        }
      }
      for (Socket reader : readers) {
        assertThat(new String(reader.getInputStream().readNBytes(3), StandardCharsets.US_ASCII))
            .isEqualTo("200");
      }
      assertThat(full.server.gauge("tidemark_watchers")).isEqualTo(4);
      for (int i = 0; i < readers.size(); i++) {
        Socket reader = readers.get(i);
        if (i / 3 % 2 == 0) {
          reader.setSoLinger(true, 0);
        } else {
          reader.shutdownOutput();
          long unused = length(reader);
        }
        reader.close();
      }
    } finally {
      close(readers);
    }
    // Itself is under way while it is asked.
    await().until(() -> full.server.gauge("tidemark_http_active") == 1);
    await().until(() -> full.server.gauge("tidemark_watchers") == 0);
    assertThat(scratchFiles()).isEmpty();
  }

  /** Those that this process has open, with a name or without. */
  private static List<String> scratchFiles() throws IOException {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : open) {
        try {
          found.add(Files.readSymbolicLink(each).toString());
        } catch (NoSuchFileException e) {
          // closed by now
        }
      }
    }
    return found.stream().filter(file -> file.contains(".scratch")).toList();
  }
}
