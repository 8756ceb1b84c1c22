// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.luben.zstd.ZstdInputStream;
import io.tidemark.names.NameService;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.InvalidAccessException;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.ProgressStream;
import io.tidemark.server.http.ProgressStream.DisconnectPolicy;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteHandler;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.http.Routes;
import io.tidemark.server.resources.ServerResources;
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
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of answers to browsers and to programs that accept compression. */
final class BrowserTest {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String APP = "https://app.example";
  private static final String ALLOWED_HEADERS = "Access-Control-Allow-Headers";

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
  void aLineThatTellsProgressArrivesBeforeTheWorkEnds(String encoding) throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    ProgressStream.Work work =
        progressSink -> {
          try {
            // Minutes that only a line which is kept back takes.
            return object("in_time", read.await(2, TimeUnit.MINUTES));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    try (TidemarkServer server =
            serving(
                "/any",
                httpRequestContext ->
                    ProgressStream.reply(
                        httpRequestContext, object("first", true), DisconnectPolicy.FINISH, work));
        InputStream body = ask(server.address().resolve("/any"), encoding).body();
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      assertThat(reader.readLine()).isEqualTo("{\"first\":true}");
      read.countDown();
      assertThat(reader.lines().toList()).last().isEqualTo("{\"end\":{\"in_time\":true}}");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd", "identity"})
  void aStreamThatFailsBeforeAnythingIsSentIsAProblemLikeAnyOther(String encoding)
      throws Exception {
    RouteResponse.BodyWriter failing =
        out -> {
          if (encoding.equals("zstd")) { // which keeps a few bytes to itself
            out.write("some rows\n".getBytes(StandardCharsets.UTF_8));
          }
          throw HttpRequestContext.invalid("the row can't be written");
        };
    Map<String, String> own = Map.of("Tidemark-Features", "7", "Vary", "Accept");
    try (TidemarkServer server =
        serving(
            "/rows",
            httpRequestContext ->
                new RouteResponse.Streamed(200, ProgressStream.LINES, failing, own))) {
      HttpResponse<InputStream> answer =
          HTTP.send(
              HttpRequest.newBuilder(server.address().resolve("/rows"))
                  .headers("Accept-Encoding", encoding, "Origin", APP, "X-Request-Id", "mine")
                  .build(),
              BodyHandlers.ofInputStream());
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
      assertThat(answer.headers().firstValue("Tidemark-Features")).isEmpty();
      assertThat(answer.headers().allValues("X-Request-Id")).containsExactly("mine");
      assertThat(answer.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
      assertThat(answer.headers().allValues("Access-Control-Allow-Origin")).containsExactly(APP);
      assertThat(words(answer, "Vary")).contains("Origin", "Accept-Encoding");
      assertThat(new JsonMapper().readTree(answer.body()).path("detail").asText())
          .isEqualTo("the row can't be written");
    }
  }

  @Test
  void theStartPageVariesByAllThatDecidesAboutIt() throws Exception {
    AccessSettings access = AccessSettings.none().withOrigins(Set.of(APP));
    try (RunningServer server = allowing(access)) {
      HttpResponse<String> page = server.send(from(server.uri("/"), APP, "GET"));
      assertThat(words(page, "Vary"))
          .containsExactlyInAnyOrder("Accept", "Accept-Encoding", "Origin");
    }
  }

  private static RunningServer allowing(AccessSettings access) {
    return new RunningServer(
        ServerResources.of(NameService.open("memory:")),
        AccessControl.of(access),
        ServerSettings.standard().withAccess(access));
  }

  private static TidemarkServer serving(String path, RouteHandler routeHandler) {
    Route route = new Route("GET", path, RequiredPermission.none(), routeHandler);
    AccessSettings access = AccessSettings.none().withOrigins(Set.of(APP));
    return TidemarkServer.start(
        ServerSettings.standard().withPort(0).withAccess(access),
        new ServerComponents(Routes.undescribed(List.of(route))),
        AccessControl.of(access));
  }

  private static ObjectNode object(String name, boolean value) {
    return JsonNodeFactory.instance.objectNode().put(name, value);
  }

  /** The words of a header that may be a list, or come more than once. */
  private static List<String> words(HttpResponse<?> answer, String header) {
    return answer.headers().allValues(header).stream()
        .flatMap(value -> Stream.of(value.split(",")))
        .map(String::strip)
        .toList();
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
    try (RunningServer server = allowing(access)) {
      assertThat(allowed(server.send(from(server, APP, "GET")))).containsExactly(APP);
      assertThat(server.send(from(server, APP, "POST")).statusCode()).isEqualTo(201);
      String other = "https://appxexample";
      assertThat(allowed(server.send(from(server, other, "GET")))).isEmpty();
      assertThat(server.send(from(server, other, "POST")).statusCode()).isEqualTo(403);
      HttpResponse<String> preflight = preflight(server.uri("/v1/names/db"), APP);
      assertThat(preflight.statusCode()).isEqualTo(200);
      assertThat(allowed(preflight)).containsExactly(APP);
      assertThat(preflight.headers().firstValue(ALLOWED_HEADERS).orElseThrow())
          .contains("Authorization", "If-Match");
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Credentials")).isEmpty();
      assertThat(allowed(preflight(server.uri("/v1/names/db"), other))).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://app.example, https://app.example:443",
    "https://app.example, HTTPS://App.Example",
    "https://App.Example:443, https://app.example",
    "http://localhost:3000, http://LOCALHOST:3000",
    "http://app.example:80, http://app.example",
  })
  void originsAreEqualInAnyCaseAndWithTheUsualPort(String allowed, String sent) {
    AccessSettings access = AccessSettings.none().withOrigins(Set.of(allowed));
    try (RunningServer server = allowing(access)) {
      assertThat(allowed(server.send(from(server, sent, "GET")))).containsExactly(sent);
      assertThat(server.send(from(server, sent, "POST")).statusCode()).isEqualTo(201);
      for (String other : List.of("http://app.example:443", "https://app.example:80")) {
        assertThat(allowed(server.send(from(server, other, "GET")))).isEmpty();
        assertThat(server.send(from(server, other, "POST")).statusCode()).isEqualTo(403);
      }
    }
  }

  @Test
  void aPageMaySendAndReadEveryHeaderThatIsDescribed() {
    AccessSettings access = AccessSettings.none().withOrigins(Set.of(APP));
    try (RunningServer server = allowing(access)) {
      List<String> sent = words(preflight(server.uri("/v1/names/db"), APP), ALLOWED_HEADERS);
      assertThat(sent)
          .contains("Accept", "Authorization", "Content-Type", "X-Request-Id")
          .contains("Content-Encoding", "Idempotency-Key", "If-Match", "If-None-Match")
          .contains("Last-Event-ID", "Tidemark-App", "Tidemark-Attempt", "Tidemark-Author")
          .contains("Tidemark-Sent-Before");
      for (JsonNode parameter : OpenApiResponseValidator.document().findParents("in")) {
        if (parameter.path("in").asText().equals("header")) {
          assertThat(sent).contains(parameter.path("name").asText());
        }
      }
      HttpResponse<String> answer = server.send(from(server, APP, "GET"));
      assertThat(words(answer, "Access-Control-Expose-Headers"))
          .contains("Allow", "ETag", "Idempotency-Replayed", "Location", "Retry-After")
          .contains("Tidemark-Attempt", "Tidemark-Conditional-Delete", "Tidemark-Features")
          .contains("Tidemark-Modified", "Tidemark-Problem", "Tidemark-Schema-Versions")
          .contains("Tidemark-Time", "WWW-Authenticate", "X-Request-Id");
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
    return from(server.uri(method.equals("GET") ? "/live" : "/v1/names/db"), origin, method);
  }

  private static HttpRequest from(URI uri, String origin, String method) {
    return HttpRequest.newBuilder(uri)
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
