// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.model.Claim;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.run.DeliveryCounts;
import io.tidemark.events.run.HandlerRegistration;
import io.tidemark.events.run.Runner;
import io.tidemark.events.run.RunnerFixture;
import io.tidemark.events.webhook.Receiver.Call;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver gets, and what becomes of the event by its answer. */
final class WebhookTest {
  private static final WebhookSecret SECRET = WebhookSecret.of("a secret that nobody knows");
  private static final WebhookOptions OPTIONS =
      WebhookOptions.standard()
          .withAddresses(AddressPolicy.ANY)
          .withConnectTimeout(Duration.ofSeconds(20))
          .withRequestTimeout(Duration.ofSeconds(60));
  private static final DeliveryCounts ACKED = new DeliveryCounts(1, 0, 0, 0, 0);
  private static final DeliveryCounts RELEASED = new DeliveryCounts(0, 1, 0, 0, 0);
  private static final DeliveryCounts GIVEN_UP = new DeliveryCounts(0, 0, 1, 0, 0);

  private final RunnerFixture runnerFixture = new RunnerFixture();
  private final Receiver receiver = Receiver.start();

  @AfterEach
  void close() {
    receiver.close();
  }

  @Test
  void aReceiverGetsTheEventSignedAndUnderItsKey() throws Exception {
    Event event = runnerFixture.publish("order.created", 7);

    assertThat(send(receiver.uri("/in?to=ken"))).isEqualTo(ACKED);

    Call call = receiver.calls().get(0);
    assertThat(receiver.calls()).hasSize(1);
    assertThat(call.path()).isEqualTo("/in?to=ken");
    assertThat(call.exchange().getRequestMethod()).isEqualTo("POST");
    assertThat(call.header("Content-Type")).isEqualTo("application/json");
    assertThat(call.header("Idempotency-Key")).isEqualTo("default/" + event.id() + "/hook");
    assertThat(call.header("Tidemark-Attempt")).isEqualTo("1");
    assertThat(call.header("Tidemark-Event-Type")).isEqualTo("order.created");
    assertThat(call.body())
        .contains("\"id\":\"" + event.id() + "\"", "\"payload\":{\"number\":7}", "created_at");
    String timestamp = call.header(WebhookSignature.TIMESTAMP_HEADER);
    assertThat(Instant.ofEpochSecond(Long.parseLong(timestamp)))
        .isBetween(Instant.now().minusSeconds(600), Instant.now());
    String signature = call.header(WebhookSignature.HEADER);
    byte[] body = call.body().getBytes(UTF_8);
    assertThat(WebhookSignature.verify(SECRET, timestamp, body, signature)).isTrue();
    assertThat(WebhookSignature.verify(SECRET, timestamp + "0", body, signature)).isFalse();
    assertThat(WebhookSignature.verify(SECRET, timestamp, new byte[] {1}, signature)).isFalse();
    WebhookSecret other = WebhookSecret.of("a secret that somebody knows");
    assertThat(WebhookSignature.verify(other, timestamp, body, signature)).isFalse();
  }

  @Test
  void theSignatureIsAnHmacOfTimestampDotBody() {
    // printf '1700000000.{}' | openssl dgst -sha256 -hmac 'a secret that nobody knows'
    assertThat(WebhookSignature.sign(SECRET, "1700000000", "{}".getBytes(UTF_8)))
        .isEqualTo("sha256=993e9af18caf3a71c4b04f8ea81696fd7f282fa819bf7b5dfcf2ae7af71edaee");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 299})
  void whoTakesItHasHandledIt(int status) throws Exception {
    receiver.answer(Receiver.status(status));
    runnerFixture.publish("x", 1);
    assertThat(send(receiver.uri("/"))).isEqualTo(ACKED);
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 304, 401, 403, 404, 408, 409, 425, 429, 500, 502, 503, 504})
  void whoCantTakeItNowGetsItAgain(int status) throws Exception {
    receiver.answer(Receiver.status(status));
    Event event = runnerFixture.publish("x", 1);
    assertThat(send(receiver.uri("/"))).isEqualTo(RELEASED);
    assertThat(claim(event).lastError().orElseThrow()).contains("has answered " + status);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 410, 413, 415, 422})
  void whoWillNeverTakeItIsLeftInPeace(int status) throws Exception {
    receiver.answer(Receiver.status(status));
    runnerFixture.publish("x", 1);
    assertThat(send(receiver.uri("/"))).isEqualTo(GIVEN_UP);
    assertThat(runnerFixture.namespace().deadLetters(10))
        .extracting(DeadLetter::lastError)
        .containsExactly("http://127.0.0.1:" + receiver.port() + " has answered " + status);
  }

  @Test
  void anEventIsSentAgainUnderTheSameKey() throws Exception {
    receiver.answer(Receiver.status(503));
    runnerFixture.publish("x", 1);
    Runner runner = runner(Webhook.to(receiver.uri("/"), SECRET, OPTIONS));
    runner.iterate();
    receiver.answer(Receiver.status(200));
    runnerFixture.pass(Duration.ofSeconds(1));

    assertThat(runner.iterate()).isEqualTo(ACKED);

    assertThat(receiver.calls())
        .extracting(call -> call.header("Tidemark-Attempt"))
        .containsExactly("1", "2");
    assertThat(receiver.calls())
        .extracting(call -> call.header("Idempotency-Key"))
        .containsOnly(receiver.calls().get(0).header("Idempotency-Key"));
  }

  @Test
  void aRedirectIsNotFollowed() throws Exception {
    receiver.answer(
        exchange -> {
          exchange.getResponseHeaders().add("Location", receiver.uri("/inside").toString());
          exchange.sendResponseHeaders(307, -1);
        });
    Event event = runnerFixture.publish("x", 1);

    assertThat(send(receiver.uri("/"))).isEqualTo(RELEASED);

    assertThat(receiver.calls()).hasSize(1);
    assertThat(claim(event).lastError().orElseThrow()).contains("307; redirects aren't followed");
  }

  @Test
  void anAnswerThatIsTooLongIsCutOff() throws Exception {
    receiver.answer(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          writeForever(exchange.getResponseBody());
        });
    runnerFixture.publish("x", 1);
    assertThat(send(receiver.uri("/"))).isEqualTo(ACKED);
  }

  @Test
  void whoDoesntAnswerInTimeHasFailed() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    receiver.answer(exchange -> awaitQuietly(over));
    assertTooLong();
    over.countDown();
  }

  @Test
  void whoDoesntComeToTheEndOfTheAnswerHasFailed() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    receiver.answer(
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('x');
          exchange.getResponseBody().flush();
          awaitQuietly(over);
        });
    assertTooLong();
    over.countDown();
  }

  private void assertTooLong() throws Exception {
    Event event = runnerFixture.publish("x", 1);
    WebhookOptions hasty =
        OPTIONS
            .withConnectTimeout(Duration.ofSeconds(20))
            .withRequestTimeout(Duration.ofMillis(300));
    assertThat(runner(Webhook.to(receiver.uri("/"), SECRET, hasty)).iterate()).isEqualTo(RELEASED);
    assertThat(claim(event).lastError().orElseThrow())
        .containsAnyOf("took longer than 300 ms", "HttpTimeoutException");
  }

  @Test
  void whoIsNotThereHasFailedAndNothingSecretIsSaid() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0)) {
      port = closed.getLocalPort();
    }
    Event event = runnerFixture.publish("x", 1);
    Webhook webhook =
        Webhook.to(URI.create("http://127.0.0.1:" + port + "/t0ken?k=t0ken"), SECRET, OPTIONS);

    assertThat(runner(webhook).iterate()).isEqualTo(RELEASED);

    assertThat(claim(event).lastError().orElseThrow())
        .contains("http://127.0.0.1:" + port + " can't be reached")
        .doesNotContain("t0ken", "nobody knows");
    assertThat(webhook.toString()).doesNotContain("t0ken", "nobody knows");
    assertThat(SECRET.toString()).isEqualTo("Secret");
  }

  private DeliveryCounts send(URI uri) throws InterruptedException {
    return runner(Webhook.to(uri, SECRET, OPTIONS)).iterate();
  }

  private Runner runner(Webhook webhook) {
    return runnerFixture.runner(
        HandlerRegistration.of("hook", EventTypeFilter.in("x", "order.created"), webhook));
  }

  private Claim claim(Event event) {
    return runnerFixture.namespace().inspect(event.id()).orElseThrow().claims().get(0);
  }

  private static void writeForever(OutputStream out) {
    byte[] some = new byte[8 * 1024];
    try {
      while (true) {
        out.write(some);
      }
    } catch (IOException e) {
      // The other side has heard enough, which is what the test is about.
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
