// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import static io.tidemark.server.RunningServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.OpenApiResponseValidator;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Webhooks, schedules and the tail of a namespace over HTTP. */
@Timeout(120)
final class SubscriptionRoutesTest {

  private static final String EVENTS = "/v1/events/orders";
  private static RunningServer server;

  @BeforeAll
  static void start() {
    server =
        new RunningServer(
            new ServerResources(
                NameService.open("memory:"),
                Optional.of(ObjectStore.open("memory:")),
                Optional.empty()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> send(String method, String path, String body, int status) {
    HttpResponse<String> answer = server.send(method, EVENTS + path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer;
  }

  @Test
  void aWebhookIsSubscribedListedWithoutItsSecretAndEnded() {
    HttpResponse<String> made =
        send(
            "POST",
            "/subscriptions",
            "{\"types\":[\"order.paid\"],\"url\":\"https://example.org/hook\",\"handler\":\"h1\"}",
            200);
    assertThat(json(made).path("secret").asText()).hasSizeGreaterThanOrEqualTo(16);
    String listed = send("GET", "/subscriptions", "", 200).body();
    assertThat(listed).contains("https://example.org\"").doesNotContain("secret", "hook");
    send("DELETE", "/subscriptions/h1", "", 204);
    assertThat(json(send("GET", "/subscriptions", "", 200)).path("items")).isEmpty();
  }

  @Test
  void aScheduleIsStoredListedAndRemoved() {
    send("PUT", "/schedules/nightly", "{\"cron\":\"0 3 * * *\",\"type\":\"report.due\"}", 204);
    assertThat(json(send("GET", "/schedules", "", 200)).findValuesAsText("cron"))
        .containsExactly("0 3 * * *");
    send("DELETE", "/schedules/nightly", "", 204);
    assertThat(json(send("GET", "/schedules", "", 200)).path("items")).isEmpty();
  }

  @Test
  void theTailTellsAnEventThatIsPublishedMeanwhile() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(server.uri(EVENTS + "/tail"))
            .header("Accept", "application/x-ndjson")
            .build();
    HttpResponse<Stream<String>> tail =
        HttpClient.newHttpClient().send(request, BodyHandlers.ofLines());
    Optional<String> type = tail.headers().firstValue("Content-Type");
    OpenApiResponseValidator.check("GET", EVENTS + "/tail", tail.statusCode(), type, "{}");
    assertThat(tail.statusCode()).isEqualTo(200);
    send("POST", "/events", "{\"type\":\"order.paid\",\"id\":\"e1\"}", 200);
    try (Stream<String> lines = tail.body()) {
      Iterator<String> each = lines.iterator();
      String line = each.next();
      while (!line.contains("\"e1\"")) {
        assertThat(line).contains("looked_at");
        line = each.next();
      }
      assertThat(new JsonMapper().readTree(line).path("type").asText()).isEqualTo("order.paid");
    }
  }
}
