// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Servers in processes of their own deliver events to a webhook on this machine. */
final class WebhookServersTest {

  /** Only a hang takes that long. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final String HOOK =
      "{\"types\":[\"order.created\"],\"handler\":\"hook\",\"url\":\"http://127.0.0.1:%d/in\"}";

  @TempDir private Path directory;
  private final List<String> delivered = new CopyOnWriteArrayList<>();
  private final CountDownLatch held = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer receiver;

  @BeforeEach
  void receive() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/", this::take);
    receiver.setExecutor(threads);
    receiver.start();
  }

  @AfterEach
  void stop() {
    held.countDown();
    receiver.stop(0);
    threads.shutdownNow();
  }

  /** Answers all requests but those for events called stuck, the first time. */
  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      String attempt = exchange.getRequestHeaders().getFirst("Tidemark-Attempt");
      delivered.add(key + " " + attempt);
      if (key.contains("stuck") && attempt.equals("1")) {
        held.await();
      }
      exchange.sendResponseHeaders(204, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ServerProcess serve(String... more) {
    String[] words = {"--data", directory.toString()};
    return ServerProcess.on(
        Map.of(), Stream.of(words, more).flatMap(Arrays::stream).toArray(String[]::new));
  }

  private void subscribe(ServerProcess server) {
    server.post("/v1/events/orders/subscriptions", HOOK.formatted(receiver.getAddress().getPort()));
  }

  private static void publish(ServerProcess server, String id) {
    server.post(
        "/v1/events/orders/events", "{\"type\":\"order.created\",\"id\":\"%s\"}".formatted(id));
  }

  @Test
  void aServerDeliversWhatIsSubscribedAndANewOneGoesOn() {
    try (ServerProcess server = serve("--webhook-addresses", "any")) {
      subscribe(server);
      publish(server, "o1");
      await().atMost(LIMIT).until(() -> delivered.contains("orders/o1/hook 1"));
      assertThat(server.get("/v1/admin/status").path("automation").toString())
          .contains("\"handler\":\"hook\"", "\"target\":\"http://127.0.0.1:")
          .doesNotContain("/in");
      assertThat(server.process().endBy("TERM")).isEqualTo(143);
      assertThat(server.warnings()).noneMatch(line -> line.contains("/in"));
    }
    try (ServerProcess again = serve("--webhook-addresses", "any")) {
      publish(again, "o2");
      await().atMost(LIMIT).until(() -> delivered.contains("orders/o2/hook 1"));
    }
    assertThat(delivered).containsExactly("orders/o1/hook 1", "orders/o2/hook 1");
  }

  @Test
  @EnabledIfSystemProperty(named = "soak", matches = "true") // as long as a lease
  void whatAKilledServerWasDeliveringIsDeliveredByAnother() {
    try (ServerProcess killed = serve("--webhook-addresses", "any")) {
      subscribe(killed);
      publish(killed, "stuck");
      await().atMost(LIMIT).until(() -> delivered.contains("orders/stuck/hook 1"));
      try (ServerProcess other = serve("--webhook-addresses", "any")) {
        killed.process().kill();
        await().atMost(LIMIT).until(() -> delivered.contains("orders/stuck/hook 2"));
        await()
            .atMost(LIMIT)
            .until(
                () ->
                    other
                        .get("/v1/events/orders/events/stuck")
                        .path("status")
                        .asText()
                        .equals("acked"));
      }
    }
  }
}
