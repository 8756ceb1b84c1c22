// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import static io.tidemark.server.RunningServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.events.EventBus;
import io.tidemark.events.model.BusOptions;
import io.tidemark.names.NameService;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events over HTTP. */
final class EventRoutesTest {

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final ObjectStore STORE = ObjectStore.open("memory:");
  private static RunningServer server;

  private String bus;

  @BeforeAll
  static void start() {
    server = serve();
  }

  private static RunningServer serve() {
    return serve(STORE);
  }

  private static RunningServer serve(ObjectStore store) {
    return new RunningServer(
        new ServerResources(NameService.open("memory:"), Optional.of(store), Optional.empty()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void choose() {
    bus = "/v1/events/orders" + COUNT.incrementAndGet();
  }

  private JsonNode post(String path, String body) {
    HttpResponse<String> answer = server.send("POST", bus + path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json(answer);
  }

  private JsonNode get(String path) {
    HttpResponse<String> answer = server.get(bus + path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json(answer);
  }

  @Test
  void anEventIsOneHoweverOftenItIsPublished() {
    String event = "{\"type\":\"order.created\",\"payload\":{\"order\":17},\"id\":\"o17\"}";
    assertThat(post("/events", event).path("published").asBoolean()).isTrue();
    post("/events", event);
    JsonNode listed = get("/events").path("items").path(0);
    assertThat(listed.path("payload").path("order").asInt()).isEqualTo(17);
    assertThat(listed.path("status").asText()).isEqualTo("pending");
    assertThat(post("/claims", "{\"handler\":\"mailer\",\"limit\":10}").path("items")).hasSize(1);
  }

  @Test
  void underAKeyAnEventIsOneForEveryServer() {
    String two = "{\"events\":[{\"type\":\"a\"},{\"type\":\"a\"}]}";
    List<String> ids = keyed(server, "/events", two);
    try (RunningServer restarted = serve()) {
      assertThat(keyed(restarted, "/events", two)).isEqualTo(ids);
      assertThat(get("/events").path("items").findValuesAsText("id"))
          .containsExactlyInAnyOrderElementsOf(ids);
      // The same key for something else is a mistake, which mustn't lose an event.
      assertThat(keyed(restarted, "/events/" + ids.get(0) + "/replay", ""))
          .isEqualTo(keyed(server, "/events/" + ids.get(0) + "/replay", ""));
      assertThat(get("/events").path("items")).hasSize(3);
    }
    post("/events", "{\"type\":\"a\"}");
    post("/events", "{\"type\":\"a\"}");
    assertThat(get("/events").path("items")).hasSize(5);
  }

  @Test
  void underAKeyAnEventIsOneThoughTheFirstAnswerWasThatNobodyKnows() {
    FaultyBackend faulty = new FaultyBackend(new MemoryBackend());
    String event = "{\"type\":\"a\"}";
    try (RunningServer troubled = serve(new ObjectStore(faulty, FakeTime.retry(3)))) {
      faulty.next(Operation.PUT, BackendFault.loseAnswer());
      for (Operation each : List.of(Operation.PUT, Operation.HEAD, Operation.GET)) {
        faulty.always(each, BackendFault.unavailable());
      }
      HttpRequest publish =
          HttpRequest.newBuilder(troubled.uri(bus + "/events"))
              .header("Idempotency-Key", "k1")
              .POST(BodyPublishers.ofString(event))
              .build();
      assertThat(troubled.send(publish).statusCode()).isEqualTo(503);
      assertThat(faulty.pendingFaults()).isZero();
      faulty.clearFaults();
      assertThat(troubled.send(publish).statusCode()).isEqualTo(200);
      assertThat(troubled.send(publish).headers().firstValue("Idempotency-Replayed"))
          .contains("true");
      assertThat(json(troubled.get(bus + "/events")).path("items")).hasSize(1);
      HttpResponse<String> claimed =
          troubled.send("POST", bus + "/claims", "{\"handler\":\"h\",\"limit\":10}");
      assertThat(json(claimed).path("items")).hasSize(1);
    }
  }

  private List<String> keyed(RunningServer to, String path, String body) {
    HttpResponse<String> answer =
        to.send(
            HttpRequest.newBuilder(to.uri(bus + path))
                .header("Idempotency-Key", "k1")
                .POST(BodyPublishers.ofString(body))
                .build());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode json = json(answer);
    return json.has("new_event_id")
        ? json.findValuesAsText("new_event_id")
        : json.path("items").findValuesAsText("id");
  }

  /** The ids on each page, from the first page on. */
  private List<List<String>> pages(String path, String id) {
    List<List<String>> pages = new ArrayList<>();
    JsonNode page = get(path);
    pages.add(page.path("items").findValuesAsText(id));
    while (page.has("next")) {
      page = get(path + "&cursor=" + page.path("next").asText());
      pages.add(page.path("items").findValuesAsText(id));
    }
    return pages;
  }

  @Test
  void eventsAreListedInPagesBackInTime() {
    for (int i = 1; i <= 5; i++) {
      post("/events", "{\"type\":\"t%d\",\"id\":\"o%d\"}".formatted(i % 2, i));
    }
    assertThat(pages("/events?limit=2", "id"))
        .containsExactly(List.of("o4", "o5"), List.of("o2", "o3"), List.of("o1"));
    assertThat(pages("/events?limit=4&type=t0", "id"))
        .containsExactly(List.of("o2", "o4"), List.of());
    assertThat(pages("/events?limit=5", "id")).hasSize(1);
  }

  @Test
  void whatElseABusHasIsListedInPages() {
    for (int i = 1; i <= 3; i++) {
      post("/events", "{\"type\":\"a\",\"id\":\"o%d\"}".formatted(i));
    }
    for (String handler : List.of("mailer", "printer")) {
      post("/claims", "{\"handler\":\"%s\",\"session\":\"s1\",\"limit\":3}".formatted(handler));
      post(
          "/settlements",
          "{\"as\":\"give_up\",\"handler\":\"%s\",\"session\":\"s1\",\"events\":[\"o1\",\"o2\",\"o3\"]}"
              .formatted(handler));
    }
    assertThat(pages("/dead-letters?limit=4", "event_id"))
        .containsExactly(List.of("o1", "o1", "o2", "o2"), List.of("o3", "o3"));
    try (EventBus same = EventBus.open(STORE, "", BusOptions.standard())) {
      for (String session : List.of("a", "a-b", "c")) {
        same.namespace(bus.substring("/v1/events/".length()))
            .sessions()
            .register(session, JsonNodeFactory.instance.objectNode());
      }
    }
    assertThat(pages("/sessions?limit=2", "session_id").stream().flatMap(List::stream).toList())
        .containsExactlyInAnyOrder("a", "a-b", "c");
    assertThat(pages("/sessions?limit=2", "session_id")).hasSize(2);
    assertThat(json(server.get("/v1/events?limit=1")).path("items")).hasSize(1);
    for (String path : List.of("/events", "/dead-letters")) {
      assertThat(server.get(bus + path + "?cursor=YQ").statusCode()).isEqualTo(400);
    }
    assertThat(server.get(bus + "/sessions?cursor=Li4vLi4").statusCode()).isEqualTo(400);
  }

  @Test
  void sessionsThatAreThereAreListed() {
    assertThat(get("/sessions").path("items")).isEmpty();
  }

  @Test
  void severalArePublishedOnlyIfAllCanBeRead() {
    HttpResponse<String> wrong =
        server.send(
            "POST", bus + "/events", "{\"events\":[{\"type\":\"a\"},{\"type\":\"b\",\"x\":1}]}");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(json(wrong).path("detail").asText()).contains("\"x\"");
    assertThat(get("/events").path("items")).isEmpty();
    assertThat(post("/events", "{\"events\":[{\"type\":\"a\"},{\"type\":\"b\"}]}").path("items"))
        .hasSize(2);
  }

  @Test
  void whatIsClaimedIsAcknowledgedByItsSession() {
    post("/events", "{\"type\":\"order.created\",\"id\":\"o1\"}");
    String claim = "{\"handler\":\"mailer\",\"session\":\"s1\"}";
    JsonNode claimed = post("/claims", claim).path("items");
    assertThat(claimed).hasSize(1);
    assertThat(claimed.path(0).path("event_id").asText()).isEqualTo("o1");
    assertThat(post("/claims", claim).path("items")).isEmpty();

    assertThat(result("ack", "s2")).isEqualTo("superseded");
    assertThat(result("renew", "s1")).isEqualTo("renewed");
    assertThat(result("ack", "s1")).isEqualTo("acked");
    assertThat(result("ack", "s1")).isEqualTo("acked"); // its answer may have been lost
    assertThat(get("/events/o1").path("claims")).hasSize(1);
  }

  @Test
  void whatIsGivenUpIsADeadLetterAndCanBeReplayed() {
    post("/events", "{\"type\":\"order.created\",\"id\":\"o1\"}");
    post("/claims", "{\"handler\":\"mailer\",\"session\":\"s1\"}");
    assertThat(result("give_up", "s1")).isEqualTo("dead_lettered");
    JsonNode letters = get("/dead-letters").path("items");
    assertThat(letters).hasSize(1);
    assertThat(letters.path(0).path("last_error").asText()).isEqualTo("no such thing");
    String again = post("/events/o1/replay", "").path("new_event_id").asText();
    String ofOrders = "{\"handler\":\"printer\",\"types\":[\"order.created\"],\"limit\":10}";
    assertThat(post("/claims", ofOrders).path("items").findValuesAsText("event_id"))
        .containsExactly("o1", again);
  }

  @Test
  void aCleanupLeavesWhatNobodyHasHandled() {
    post("/events", "{\"type\":\"order.created\",\"id\":\"o1\"}");
    JsonNode done = post("/cleanup", "{\"before\":0}");
    assertThat(done.path("deleted").asInt()).isZero();
    assertThat(done.path("kept").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/events|{}|\"type\"",
        "/events|[]|object",
        "/events|{\"type\":\"a\"} x|no JSON",
        "/events|{\"type\":\"a\",\"type\":\"b\"}|Duplicate",
        "/claims|{}|\"handler\"",
        "/claims|{\"handler\":\"h\",\"limit\":0}|from 1 to 100",
        "/claims|{\"handler\":\"h\",\"lease\":0}|from 1 to 315360000",
        "/claims|{\"handler\":\"h\",\"lease_seconds\":0}|from 1 to 315360000",
        "/claims|{\"handler\":\"h\",\"lease\":30,\"lease_seconds\":30}|are the same",
        "/claims|{\"handler\":\"h\",\"types\":\"a\"}|\"types\" must be an array",
        "/settlements|{\"as\":\"eat\",\"handler\":\"h\",\"session\":\"s\",\"events\":[\"o1\"]}|give_up",
        "/settlements|{\"as\":\"ack\",\"handler\":\"h\",\"session\":\"s\"}|needs \"events\", an array from 1 to 100 items",
        "/cleanup|{\"before\":-1}|must be an integer from 0 to 315360000"
      })
  void whatCanNotBeMeantIsSaid(String path, String body, String problem) {
    HttpResponse<String> answer = server.send("POST", bus + path, body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer).path("detail").asText()).contains(problem);
  }

  @Test
  void anUnknownEventIsNotFound() {
    HttpResponse<String> answer = server.get(bus + "/events/nothing");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(json(answer).path("code").asText()).isEqualTo("unknown-event");
  }

  @Test
  void aNamespaceThatCanNotBeOneIsRefused() {
    HttpResponse<String> answer = server.get("/v1/events/..%2Fx/events");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer).path("code").asText()).isEqualTo("invalid-name");
  }

  @Test
  void namespacesAreListed() {
    post("/events", "{\"type\":\"a\"}");
    HttpResponse<String> answer = server.get("/v1/events");
    assertThat(json(answer).path("items").findValuesAsText("namespace"))
        .contains(bus.substring("/v1/events/".length()));
  }

  @Test
  void aServerWithoutAnObjectStoreHasNoEvents() {
    try (RunningServer bare = RunningServer.inMemory()) {
      HttpResponse<String> answer = bare.get("/v1/events");
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(json(answer).path("code").asText()).isEqualTo("no-events");
    }
  }

  private String result(String as, String session) {
    return post(
            "/settlements",
            "{\"as\":\"%s\",\"handler\":\"mailer\",\"session\":\"%s\",\"events\":[\"o1\"],\"error\":\"no such thing\"}"
                .formatted(as, session))
        .path("items")
        .path(0)
        .path("result")
        .asText();
  }
}
