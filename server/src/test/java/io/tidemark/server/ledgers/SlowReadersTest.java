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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers who don't take long answers, and have all the places of queries between them. */
final class SlowReadersTest {

  /** More than the buffers of a connection hold. */
  private static final int ROWS = 6_000;

  private static final int WIDTH = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final String LINES = "application/x-ndjson";
  private static final String DOCUMENT = "application/json";

  @TempDir private static Path directory;
  private static LedgerHouse house;

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
  private static LedgerHouse house(int places, Duration time) {
    Limits standard = Limits.standard();
    return new LedgerHouse(
        directory,
        settings ->
            settings.withLimits(
                standard
                    .withPace(new Limits.Pace(Duration.ofMinutes(5), Duration.ofMinutes(5), 1))
                    .withSql(standard.sql().withTime(time))
                    .withCrowd(new Limits.Crowd(1_000, 128, 64, places))));
  }

  @AfterAll
  static void stop() {
    house.close();
  }

  /** Asks, and takes no more than the first bytes. */
  private static Socket begin(LedgerHouse of, String path, String accept) throws IOException {
    URI address = of.server.server().address();
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(60_000); // only a hang meets it
    socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
    socket
        .getOutputStream()
        .write(
            "GET /v1/ledgers/crm/%s HTTP/1.0\r\nHost: 127.0.0.1\r\nAccept: %s\r\n\r\n"
                .formatted(path, accept)
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
  void changesAndDifferencesThatAreNotTakenInTimeAreBrokenOff() throws Exception {
    List<Socket> readers = new ArrayList<>();
    try (LedgerHouse hasty = house(3, LIMIT)) {
      readers.add(begin(hasty, "diff?from=1&to=2", LINES));
      readers.add(begin(hasty, "commits/2/changes", LINES));
      readers.add(begin(hasty, "commits/2/changes", DOCUMENT));
      long begun = System.nanoTime();
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
      readers.add(begin(house, "diff?from=1&to=2", DOCUMENT));
      assertThat(house.get("/v1/ledgers/crm/commits/1/changes").statusCode()).isEqualTo(200);
      for (Socket reader : readers) {
        assertThat(length(reader)).isGreaterThan((long) ROWS * WIDTH);
      }
    } finally {
      close(readers);
    }
  }
}
