// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Whole collections in and out. */
final class FeatureStreamTest extends FeatureRoutesFixture {

  private static final int MANY = 12_000;

  /** In one table, which is quicker to make. */
  private static final String SMALL = encoded("{\"partitioned\": false}");

  private static final String PADDING = "x".repeat(3_000);

  /** A third of what all of it has as text; as objects it has several times that. */
  private static final long MOST_HELD = (long) MANY * PADDING.length() / 3;

  /** Lines of GeoJSON that are made as they are read. */
  private static final class Lines extends InputStream {
    private int made;
    private byte[] line = new byte[0];
    private int at;

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      if (at == line.length) {
        if (made == MANY) {
          return -1;
        }
        line = (point("f" + made++, PADDING) + "\n").getBytes(StandardCharsets.UTF_8);
        at = 0;
      }
      int n = Math.min(length, line.length - at);
      System.arraycopy(line, at, bytes, from, n);
      at += n;
      return n;
    }
  }

  @Test
  void aCollectionIsLoadedAndReadByStreamsWithoutBeingHeldInMemory() throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    HttpResponse<String> loaded =
        http.send(
            HttpRequest.newBuilder(server.uri("/v1/collections/large/load?create=" + SMALL))
                .header("Content-Type", "application/geo+json-seq")
                .POST(BodyPublishers.ofInputStream(Lines::new))
                .build(),
            BodyHandlers.ofString());
    assertThat(ok(loaded).path("loaded").asLong()).isEqualTo(MANY);

    assertThat(streamed(http, all("large"), "application/geo+json-seq")).isLessThan(MOST_HELD);
    assertThat(streamed(http, "/v1/collections/large/export", "*/*")).isLessThan(MOST_HELD);
  }

  /** Reads all of it; the most memory that was held meanwhile, beyond what was held before. */
  private static long streamed(HttpClient http, String path, String accept) throws Exception {
    long before = held();
    long most = 0;
    long lines = 0;
    HttpResponse<InputStream> response =
        http.send(
            HttpRequest.newBuilder(server.uri(path)).header("Accept", accept).build(),
            BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    try (InputStream in = response.body()) {
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        for (int i = 0; i < n; i++) {
          if (buffer[i] == '\n' && ++lines % 4_000 == 2_000) {
            most = Math.max(most, held() - before);
          }
        }
      }
    }
    assertThat(lines).isEqualTo(MANY);
    return most;
  }

  /**
   * The server goes on while it is looked, until nobody takes what it sends; what it has dropped by
   * then doesn't count, so the least of several looks does.
   */
  private static long held() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int look = 0; look < 3; look++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  @Test
  void filesAreLoadedInEachFormat() throws Exception {
    JsonNode csv =
        ok(
            send(
                "POST",
                "/v1/collections/csv1/load?lon=x&lat=y&create=" + SMALL,
                "id,x,y,name\na,8.5,50,A\nb,8.6,50,B\n",
                "Content-Type",
                "text/csv"));
    assertThat(csv.path("loaded").asLong()).isEqualTo(2);
    problem(
        409,
        "refused",
        send(
            "POST",
            "/v1/collections/csv1/load",
            "id,lon,lat\nc,1,2\n",
            "Content-Type",
            "text/csv"));
    String more = "{\"type\":\"FeatureCollection\",\"features\":[" + point("a", "Z") + "]}";
    JsonNode upserted =
        ok(
            send(
                "POST",
                "/v1/collections/csv1/load?upsert=true",
                more,
                "Content-Type",
                "application/geo+json"));
    assertThat(upserted.path("loaded").asLong()).isEqualTo(1);
    assertThat(ok(server.get(all("csv1") + "/a")).path("properties").path("name").asText())
        .isEqualTo("Z");
    assertThat(server.get("/v1/collections/csv1/export").body().lines()).hasSize(2);
    assertThat(server.get("/v1/collections/csv1/export?format=rs").body()).startsWith("\u001e{");
    for (String numbers : List.of("number", "string")) {
      HttpResponse<String> whole =
          server.get("/v1/collections/csv1/export?format=geojson&numbers=" + numbers);
      assertThat(whole.headers().firstValue("Content-Type")).contains("application/geo+json");
      assertThat(ids(ok(whole))).contains("a", "b");
      assertThat(ok(whole).path("type").asText()).isEqualTo("FeatureCollection");
    }
    HttpResponse<String> head =
        server.send(
            HttpRequest.newBuilder(server.uri("/v1/collections/csv1/export?format=geoparquet"))
                .method("HEAD", BodyPublishers.noBody())
                .build());
    assertThat(head.headers().firstValue("Tidemark-Features")).contains("2");
    // Nobody knows how long it would be.
    assertThat(head.headers().firstValue("Content-Length")).isEmpty();
    assertThat(openExports()).isZero();
    assertThat(exported("application/vnd.apache.parquet", "")).startsWith("PAR1");
    assertThat(exported("text/html;q=0.9, application/geo+json-seq;q=0.5", ""))
        .startsWith("\u001e{");
    assertThat(exported("application/vnd.apache.parquet", "?format=geojsonseq")).startsWith("{");
    assertThat(exported("text/html", "")).startsWith("{");
    assertThat(exported("*/*", "").lines()).hasSize(2);
    assertThat(exported("application/geo+json", "")).contains("FeatureCollection");
    HttpResponse<String> parquet = server.get("/v1/collections/csv1/export?format=geoparquet");
    assertThat(parquet.body()).startsWith("PAR1");
    assertThat(parquet.headers().firstValue("Tidemark-Features")).contains("2");
    problem(404, "collection-not-found", server.get("/v1/collections/none/export"));
  }

  private static String exported(String accept, String query) {
    return send("GET", "/v1/collections/csv1/export" + query, "", "Accept", accept).body();
  }

  @Test
  void aFileMayComeCompressed() throws Exception {
    HttpResponse<String> loaded = loadZipped("zipped", zipped(point("a", "x") + "\n"));
    assertThat(ok(loaded).path("loaded").asLong()).isEqualTo(1);
    problem(
        400,
        "invalid-input",
        send(
            "POST",
            "/v1/collections/broken/load?create=" + SMALL,
            point("a", "x") + "\n{nonsense\n",
            "Content-Type",
            "application/geo+json-seq"));
    problem(404, "collection-not-found", server.get("/v1/collections/broken"));
  }

  @Test
  void aBodyThatIsNotTheGzipItSaysIsInvalid() {
    String feature = point("a", "x") + "\n";
    byte[] whole = zipped(feature.repeat(1000));
    for (byte[] wrong :
        List.of(
            feature.getBytes(StandardCharsets.UTF_8),
            new byte[0],
            Arrays.copyOf(whole, 5),
            Arrays.copyOf(whole, whole.length / 2),
            Arrays.copyOf(whole, whole.length - 4),
            joined(whole, feature.getBytes(StandardCharsets.UTF_8)))) {
      problem(400, "invalid-request", loadZipped("cut", wrong));
    }
    problem(404, "collection-not-found", server.get("/v1/collections/cut"));
  }

  @Test
  void aBodyOfSeveralMembersIsReadToItsEnd() {
    byte[] members = new byte[0];
    for (int i = 0; i < 200; i++) {
      members = joined(members, zipped(point("m" + i, "x") + "\n"));
    }
    byte[] all = members;
    // The bytes of a chunk or two at a time, of which the rest hasn't come when the first is read.
    HttpRequest.BodyPublisher slow =
        BodyPublishers.ofByteArrays(
            () ->
                IntStream.rangeClosed(0, all.length / 50)
                    .mapToObj(
                        i -> Arrays.copyOfRange(all, i * 50, Math.min(all.length, i * 50 + 50)))
                    .iterator());
    assertThat(ok(loadZipped("members", slow)).path("loaded").asLong()).isEqualTo(200);
  }

  @Test
  void aFewBytesThatUnpackToManyAreRefused() {
    byte[] blanks = zipped(" ".repeat(64 << 20));
    assertThat(blanks.length).isLessThan(100_000);
    problem(413, "too-large", loadZipped("blanks", blanks));
    // The only place of a load is free again.
    ok(loadZipped("free", zipped(point("a", "x") + "\n")));
  }

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  private static HttpResponse<String> loadZipped(String collection, byte[] body) {
    return loadZipped(collection, BodyPublishers.ofByteArray(body));
  }

  private static HttpResponse<String> loadZipped(
      String collection, HttpRequest.BodyPublisher body) {
    return server.send(
        HttpRequest.newBuilder(
                server.uri("/v1/collections/" + collection + "/load?create=" + SMALL))
            .header("Content-Type", "application/geo+json-seq")
            .header("Content-Encoding", "gzip")
            .POST(body)
            .build());
  }

  private static byte[] zipped(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** How many files of exports this process has open. */
  private static long openExports() throws IOException {
    long open = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : all) {
        // One that was closed meanwhile, such as that of the listing itself, leads nowhere.
        open += Files.isSymbolicLink(each) && leadsToExport(each) ? 1 : 0;
      }
    }
    return open;
  }

  private static boolean leadsToExport(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains("tidemark-export-");
    } catch (IOException e) {
      return false;
    }
  }
}
