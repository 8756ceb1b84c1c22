// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.http.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Callers who go away, keys that are used again, and answers that can't be brought to their end.
 */
final class LedgerStreamsTest {

  private static final String ENDLESS =
      "{\"sql\":\"SELECT count(*) FROM range(100000000) a, range(100000000) b"
          + " WHERE a.range % 7 = b.range % 5\"}";

  @TempDir private static Path directory;
  private static LedgerTestServer house;

  /** With one query at a time, so that one that goes on for long keeps others out. */
  @BeforeAll
  static void start() {
    Limits standard =
        Limits.standard().withSql(Limits.standard().sql().withTime(Duration.ofMinutes(10)));
    house =
        new LedgerTestServer(
                directory,
                settings ->
                    settings.withLimits(
                        standard.withCrowd(
                            new Limits.Concurrency(
                                standard.crowd().connections(),
                                standard.crowd().threads(),
                                standard.crowd().streams(),
                                1))))
            .withCustomers();
  }

  @AfterAll
  static void stop() {
    house.close();
  }

  private static Socket connect() throws IOException {
    URI address = house.server.server().address();
    return new Socket(address.getHost(), address.getPort());
  }

  private static void write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static String head(String method, String path, String more) {
    return method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more + "\r\n";
  }

  private static long newest() {
    return house.json(house.get("/v1/ledgers/crm")).path("head_commit_id").asLong();
  }

  @Test
  void aQueryWhoseCallerGoesAwayIsEnded() throws Exception {
    try (Socket socket = connect()) {
      write(
          socket,
          head("POST", "/v1/ledgers/crm/sql", "Content-Length: " + ENDLESS.length() + "\r\n"));
      write(socket, ENDLESS);
      // While it runs, there is no place for another, who is told so.
      await()
          .until(
              () ->
                  house
                      .problem(house.post("/v1/ledgers/crm/query", "{\"type\":\"Nobody\"}"))
                      .equals("503 busy"));
      HttpResponse<String> busy = house.post("/v1/ledgers/crm/query", "{\"type\":\"Plan\"}");
      assertThat(busy.headers().firstValue("Retry-After")).contains("1");
    }
    // Its own limit of time is 10 minutes; the place is free sooner.
    await()
        .until(
            () -> house.post("/v1/ledgers/crm/query", "{\"type\":\"Plan\"}").statusCode() == 200);
  }

  @Test
  void aParquetFileIsGoneWithItsCaller() throws Exception {
    String ask = "{\"sql\":\"SELECT hash(range) FROM range(4000000)\"}";
    try (Socket socket = connect()) {
      write(
          socket,
          head(
              "POST",
              "/v1/ledgers/crm/sql",
              "Accept: application/vnd.apache.parquet\r\nContent-Length: "
                  + ask.length()
                  + "\r\n"));
      write(socket, ask);
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8))
          .isEqualTo("HTTP/1.1 200");
      assertThat(openAnswers())
          .as("one that takes its time keeps bytes, but no file that others see")
          .hasSize(1)
          .allMatch(file -> file.endsWith(" (deleted)"));
    }
    await().until(() -> openAnswers().isEmpty());
  }

  private static List<String> openAnswers() throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      for (Path each : all.toList()) {
        open(each).ifPresent(found::add);
      }
    }
    return found.stream().filter(file -> file.contains("/tidemark-sql-")).toList();
  }

  /** Empty if it was closed meanwhile. */
  private static Optional<String> open(Path descriptor) throws IOException {
    try {
      return Optional.of(Files.readSymbolicLink(descriptor).toString());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Test
  void aParquetFileHasALimitOfBytes(@TempDir Path other) {
    Limits standard = Limits.standard();
    try (LedgerTestServer small =
        new LedgerTestServer(
                other,
                settings -> settings.withLimits(standard.withSql(standard.sql().withFile("2MB"))))
            .withCustomers()) {
      String[] parquet = {"Accept", "application/vnd.apache.parquet"};
      String path = "/v1/ledgers/crm/sql";
      HttpResponse<String> large =
          small.send("POST", path, "{\"sql\":\"SELECT hash(range) FROM range(4000000)\"}", parquet);
      assertThat(small.problem(large)).isEqualTo("422 sql-limit");
      assertThat(large.body()).contains("a file of more than 2MB");
      HttpResponse<String> many =
          small.send("POST", path, "{\"sql\":\"SELECT 1 FROM range(1000001)\"}", parquet);
      assertThat(many.statusCode()).as("a million rows of few bytes").isEqualTo(200);
      assertThat(many.headers().firstValue("Tidemark-Rows")).contains("1000001");
      HttpResponse<String> bounded =
          small.send("POST", path, "{\"sql\":\"FROM range(3)\",\"maxRows\":2}", parquet);
      assertThat(small.problem(bounded)).isEqualTo("422 sql-limit");
    }
  }

  /** A connection without a word for that long is closed otherwise. */
  @Test
  void aRequestThatIsWorkedOnIsNotIdle(@TempDir Path other) {
    Limits.Pace pace = new Limits.Pace(Duration.ofMillis(500), Duration.ofSeconds(1), 4096);
    try (LedgerTestServer hasty =
        new LedgerTestServer(
                other, settings -> settings.withLimits(Limits.standard().withPace(pace)))
            .withCustomers()) {
      assertThat(
              hasty.problem(
                  hasty.post(
                      "/v1/ledgers/crm/sql", ENDLESS.replace("}", ",\"timeoutMillis\":2000}"))))
          .isIn("422 sql-limit", "422 query-stopped");
    }
  }

  @Test
  void anImportThatBreaksOffLeavesNothing() throws Exception {
    long before = newest();
    String rows =
        "{\"type_kind\":\"entity\",\"type_name\":\"Plan\",\"fields\":{\"id\":\"half\",\"price\":1}}\n";
    for (String framing :
        new String[] {"Content-Length: 100000\r\n", "Transfer-Encoding: chunked\r\n"}) {
      try (Socket socket = connect()) {
        write(socket, head("POST", "/v1/ledgers/crm/import?apply", framing));
        write(
            socket,
            framing.startsWith("T")
                ? Integer.toHexString(rows.length()) + "\r\n" + rows + "\r\n"
                : rows);
        socket.shutdownOutput();
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .doesNotContain(" 200 ");
      }
    }
    assertThat(newest()).isEqualTo(before);
    assertThat(
            house
                .json(
                    house.post(
                        "/v1/ledgers/crm/query",
                        "{\"type\":\"Plan\",\"where\":\"@key = 'half'\",\"count\":true}"))
                .path("count")
                .asLong())
        .isZero();
  }

  /**
   * Rows that don't fit into what is written before anybody sees it, and then a file that is gone.
   */
  private static String brokenLedger(String name, int rows) throws IOException {
    house.post("/v1/ledgers", "{\"ledger\":\"" + name + "\"}");
    house.post("/v1/ledgers/" + name + "/types", "{\"schema\":" + LedgerTestServer.SCHEMA + "}");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      lines
          .append("{\"id\":\"c%05d\",\"age\":1,\"tier\":\"".formatted(i))
          .append("x".repeat(100))
          .append("\",\"note\":null}\n");
    }
    String path = "/v1/ledgers/" + name;
    assertThat(
            house
                .send(
                    "POST",
                    path + "/commits?type=Customer",
                    lines.toString(),
                    "Content-Type",
                    "application/x-ndjson")
                .statusCode())
        .isEqualTo(201);
    assertThat(
            house
                .post(
                    path + "/commits", "{\"type\":\"Plan\",\"rows\":[{\"id\":\"p1\",\"price\":5}]}")
                .statusCode())
        .isEqualTo(201);
    return path;
  }

  private static void loseFile(String ledger, String file) throws IOException {
    try (Stream<Path> all = Files.walk(directory.resolve("data"))) {
      for (Path each :
          all.filter(
                  path ->
                      path.toString().contains("/" + ledger + "/")
                          && path.getFileName().toString().startsWith(file))
              .toList()) {
        Files.delete(each);
      }
    }
  }

  @Test
  void anExportWhoseCallerGoesAwayHarmsNobody() throws Exception {
    String path = brokenLedger("large", 9_000);
    for (int i = 0; i < 5; i++) {
      try (Socket socket = connect()) {
        write(socket, head("GET", path + "/export", ""));
        InputStream in = socket.getInputStream();
        assertThat(new String(in.readNBytes(12), StandardCharsets.UTF_8)).isEqualTo("HTTP/1.1 200");
      }
    }
    assertThat(house.get(path + "/export").body().lines().count()).isEqualTo(9_001);
  }

  @Test
  void anAnswerThatCanNotBeBroughtToItsEndIsBrokenOff() throws Exception {
    String large = brokenLedger("brokenlarge", 9_000);
    loseFile("brokenlarge", "Plan.parquet");
    assertThatThrownBy(() -> house.get(large + "/export")).hasCauseInstanceOf(IOException.class);
    String small = brokenLedger("brokensmall", 10);
    loseFile("brokensmall", "Plan.parquet");
    assertThat(house.problem(house.get(small + "/export"))).isEqualTo("500 corrupt");
  }

  @Test
  void aCommitThatIsSentAgainWithItsKeyIsAnsweredAsBefore() {
    String path = "/v1/ledgers/crm/commits";
    String rows = "{\"type\":\"Plan\",\"rows\":[{\"id\":\"once\",\"price\":5}]}";
    HttpResponse<String> first = house.send("POST", path, rows, "Idempotency-Key", "k1");
    HttpResponse<String> again = house.send("POST", path, rows, "Idempotency-Key", "k1");
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.headers().firstValue("ETag")).isEqualTo(first.headers().firstValue("ETag"));
    assertThat(again.headers().firstValue("Idempotency-Replayed")).contains("true");
    assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
    assertThat(
            house.problem(
                house.send("POST", path, rows.replace("5", "6"), "Idempotency-Key", "k1")))
        .isEqualTo("422 idempotency-mismatch");
    assertThat(house.problem(house.send("POST", path, rows, "Idempotency-Key", "x".repeat(256))))
        .isEqualTo("400 invalid-request");
    // Without a key it is carried out again, and finds nothing to do.
    assertThat(house.post(path, rows).body()).isEqualTo("{\"commit_id\":null}");
  }

  @Test
  void aLongBodyWithAKeyIsReadWhole() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      lines.append("{\"id\":\"long%05d\",\"price\":%d,\"type_name\":\"x\"}\n".formatted(i, i));
    }
    String rows = lines.toString().replace(",\"type_name\":\"x\"", "");
    assertThat(rows.length()).isGreaterThan(80_000);
    HttpResponse<String> made =
        house.send(
            "POST",
            "/v1/ledgers/crm/commits?type=Plan",
            rows,
            "Content-Type",
            "application/x-ndjson",
            "Idempotency-Key",
            "long");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    assertThat(house.json(made).path("operations").asLong()).isEqualTo(3_000);
  }

  @Test
  void aRecordIsNoLongerThanADocument() {
    String row = "{\"id\":\"" + "x".repeat(300_000) + "\",\"price\":1}";
    Limits small = Limits.standard().withBodyBytes(200_000);
    try (LedgerTestServer other =
        new LedgerTestServer(directory, settings -> settings.withLimits(small))) {
      for (String path : new String[] {"/commits?type=Plan", "/import"}) {
        for (String body : new String[] {row, row + "\n", "[" + row + "]"}) {
          HttpResponse<String> refused =
              other.send(
                  "POST", "/v1/ledgers/crm" + path, body, "Content-Type", "application/x-ndjson");
          assertThat(refused.body()).contains("a record of more than 200000 characters");
          assertThat(refused.statusCode()).isEqualTo(400);
        }
      }
    }
  }

  @Test
  void twoServersCommitToOneLedger() {
    house.post("/v1/ledgers", "{\"ledger\":\"shared\"}");
    house.post("/v1/ledgers/shared/types", "{\"schema\":" + LedgerTestServer.SCHEMA + "}");
    try (LedgerTestServer other = new LedgerTestServer(directory)) {
      CompletableFuture<?>[] writers = {
        CompletableFuture.runAsync(() -> commits(house, "a")),
        CompletableFuture.runAsync(() -> commits(other, "b"))
      };
      CompletableFuture.allOf(writers).join();
      for (LedgerTestServer each : new LedgerTestServer[] {house, other}) {
        assertThat(each.json(each.get("/v1/ledgers/shared")).path("head_commit_id").asLong())
            .isEqualTo(6);
        assertThat(
                each.json(
                        each.post("/v1/ledgers/shared/query", "{\"type\":\"Plan\",\"count\":true}"))
                    .path("count")
                    .asLong())
            .isEqualTo(6);
      }
    }
  }

  private static void commits(LedgerTestServer on, String key) {
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> made =
          on.post(
              "/v1/ledgers/shared/commits",
              "{\"type\":\"Plan\",\"rows\":[{\"id\":\"%s%d\",\"price\":1}]}".formatted(key, i));
      assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    }
  }
}
