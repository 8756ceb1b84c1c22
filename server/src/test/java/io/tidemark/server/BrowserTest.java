// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.luben.zstd.ZstdInputStream;
import io.tidemark.names.NameService;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Gate;
import io.tidemark.server.access.InvalidAccessException;
import io.tidemark.server.access.Need;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Routes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of answers to browsers and to programs that accept compression. */
final class BrowserTest {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String APP = "https://app.example";

  @Test
  void theStartPageIsHtmlForBrowsersAndJsonForOthers() {
    try (RunningServer server = RunningServer.inMemory()) {
      HttpRequest browser =
          HttpRequest.newBuilder(server.uri("/"))
              .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
              .build();
      HttpResponse<String> page = server.send(browser);
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.headers().firstValue("Content-Type")).contains("text/html;charset=utf-8");
      assertThat(page.headers().firstValue("Content-Security-Policy"))
          .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'none';"));
      assertThat(page.body())
          .contains("/openapi.json")
          .doesNotContain("<script", "<style", "<img", "http:", "https:");
      HttpResponse<String> json = server.get("/");
      assertThat(RunningServer.json(json).path("name").asText()).isEqualTo("Tidemark");
      assertThat(page.body()).contains(RunningServer.json(json).path("version").asText());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void aLongAnswerIsCompressedForWhoAcceptsIt(String encoding) throws Exception {
    try (RunningServer server = RunningServer.inMemory()) {
      String config = "{\"type\": \"x:T\", \"config\": {\"text\": \"%s\"}}";
      HttpResponse<String> made =
          server.send("PUT", "/v1/names/t/source", config.formatted("words ".repeat(1000)));
      assertThat(made.statusCode()).isEqualTo(200);
      HttpResponse<InputStream> packed = ask(server.uri("/v1/names/t"), encoding);
      assertThat(packed.headers().firstValue("Content-Encoding")).contains(encoding);
      assertThat(packed.headers().allValues("Vary")).anyMatch(vary -> vary.contains("Encoding"));
      byte[] bytes = packed.body().readAllBytes();
      assertThat(bytes.length).isLessThan(made.body().length() / 4);
      assertThat(unpacked(new java.io.ByteArrayInputStream(bytes), encoding).readAllBytes())
          .asString(StandardCharsets.UTF_8)
          .isEqualTo(server.get("/v1/names/t").body());
      // Its tag names the same state as that of the plain answer.
      String tag = packed.headers().firstValue("ETag").orElseThrow();
      HttpRequest same =
          HttpRequest.newBuilder(server.uri("/v1/names/t"))
              .header("Accept-Encoding", encoding)
              .header("If-None-Match", tag)
              .build();
      assertThat(server.send(same).statusCode()).isEqualTo(304);
      HttpRequest remove =
          HttpRequest.newBuilder(server.uri("/v1/names/t/record"))
              .header("If-Match", tag)
              .DELETE()
              .build();
      assertThat(server.send(remove).statusCode()).isEqualTo(204);
      // A short answer isn't worth it.
      assertThat(ask(server.uri("/live"), encoding).headers().firstValue("Content-Encoding"))
          .isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void aLineThatTellsProgressArrivesBeforeTheNextIsWritten(String encoding) throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    Reply.Writing lines =
        out -> {
          out.write("first\n".getBytes(StandardCharsets.UTF_8));
          out.flush();
          try {
            // Minutes that only a line which is kept back takes.
            assertThat(read.await(2, TimeUnit.MINUTES)).isTrue();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          out.write("second\n".getBytes(StandardCharsets.UTF_8));
        };
    Route route =
        new Route(
            "GET",
            "/v1/push",
            Need.nothing(),
            call -> new Reply.Streamed(200, "application/x-ndjson", lines, Map.of()));
    try (TidemarkServer server =
            TidemarkServer.start(
                ServerSettings.standard().withPort(0),
                new Api(Routes.undescribed(List.of(route))),
                Gate.open());
        InputStream body = ask(URI.create(server.address() + "/v1/push"), encoding).body();
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      assertThat(reader.readLine()).isEqualTo("first");
      read.countDown();
      assertThat(reader.readLine()).isEqualTo("second");
      assertThat(reader.readLine()).isNull();
    }
  }

  private static HttpResponse<InputStream> ask(URI uri, String encoding) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(uri).header("Accept-Encoding", encoding).build(),
        BodyHandlers.ofInputStream());
  }

  private static InputStream unpacked(InputStream body, String encoding) throws IOException {
    return encoding.equals("gzip")
        ? new GZIPInputStream(body)
        : new ZstdInputStream(body).setContinuous(true);
  }

  @Test
  void pagesOfOtherOriginsReadNothingUnlessAnOriginIsAllowed() {
    try (RunningServer server = RunningServer.inMemory()) {
      assertThat(allowed(server.send(from(server, APP, "GET")))).isEmpty();
      assertThat(server.send(from(server, APP, "POST")).statusCode()).isEqualTo(403);
    }
    AccessSettings access = AccessSettings.none().withOrigins(Set.of(APP));
    try (RunningServer server =
        new RunningServer(
            Holdings.of(NameService.open("memory:")),
            Gate.of(access),
            ServerSettings.standard().withAccess(access))) {
      assertThat(allowed(server.send(from(server, APP, "GET")))).containsExactly(APP);
      assertThat(server.send(from(server, APP, "POST")).statusCode()).isEqualTo(201);
      String other = "https://appxexample";
      assertThat(allowed(server.send(from(server, other, "GET")))).isEmpty();
      assertThat(server.send(from(server, other, "POST")).statusCode()).isEqualTo(403);
      HttpResponse<String> preflight = preflight(server.uri("/v1/names/db"), APP);
      assertThat(preflight.statusCode()).isEqualTo(200);
      assertThat(allowed(preflight)).containsExactly(APP);
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Headers").orElseThrow())
          .contains("Authorization", "If-Match");
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Credentials")).isEmpty();
      assertThat(allowed(preflight(server.uri("/v1/names/db"), other))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "null", "app.example", "https://app.example/", "file://x", ""})
  void anOriginHasASchemeAndAHostAndNothingElse(String origin) {
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(() -> AccessSettings.none().withOrigins(Set.of(origin)))
        .withMessageContaining("https://app.example");
  }

  private static HttpRequest from(RunningServer server, String origin, String method) {
    return HttpRequest.newBuilder(server.uri(method.equals("GET") ? "/live" : "/v1/names/db"))
        .method(method, BodyPublishers.noBody())
        .header("Origin", origin)
        .build();
  }

  private static HttpResponse<String> preflight(URI uri, String origin) {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .method("OPTIONS", BodyPublishers.noBody())
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "PUT")
            .build();
    try {
      return HTTP.send(request, BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> allowed(HttpResponse<String> answer) {
    return answer.headers().allValues("Access-Control-Allow-Origin");
  }
}
