// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.server.http.Idempotency.Attempt;
import io.tidemark.server.http.Idempotency.Capacity;
import io.tidemark.server.http.Idempotency.Scope;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Answers that are given again. */
final class IdempotencyTest {

  private static final Duration DAY = Duration.ofHours(24);

  /** A time that stands still until it is moved. */
  private static final class Still implements MonotonicTime {
    private long nanos;

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void pause(Duration duration) {
      nanos += duration.toNanos();
    }
  }

  private final Still time = new Still();
  private final AtomicInteger done = new AtomicInteger();
  private Idempotency idempotency = new Idempotency(Capacity.standard(), time);

  private static Scope scope(String key) {
    return new Scope("ada", "POST", "/v1/ledgers/crm/commits", key);
  }

  private RouteResponse counted() {
    return RouteResponse.json(
        201, JsonNodeFactory.instance.objectNode().put("n", done.incrementAndGet()));
  }

  private RouteResponse send(String key, String body) throws IOException {
    return idempotency.answer(scope(key), body, Attempt.PERHAPS, this::counted);
  }

  private static String text(RouteResponse routeResponse) {
    return new String(
        ((RouteResponse.Bytes) routeResponse).content(), java.nio.charset.StandardCharsets.UTF_8);
  }

  @Test
  void theSameRequestGetsTheSameAnswer() throws IOException {
    RouteResponse first = send("k", "body");
    RouteResponse second = send("k", "body");
    assertThat(first.headers()).isEmpty();
    assertThat(second.status()).isEqualTo(201);
    assertThat(text(second)).isEqualTo("{\"n\":1}");
    assertThat(second.headers()).containsEntry("Idempotency-Replayed", "true");
    assertThat(done).hasValue(1);
  }

  @Test
  void anotherRequestWithTheSameKeyIsAMistake() throws IOException {
    send("k", "body");
    assertThatThrownBy(() -> send("k", "another"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> {
              assertThat(e.problem().status()).isEqualTo(422);
              assertThat(e.problem().code()).isEqualTo("idempotency-mismatch");
            });
    assertThat(done).hasValue(1);
  }

  @Test
  void aKeyBelongsToACallerAMethodAndAPath() throws IOException {
    send("k", "body");
    for (Scope other :
        List.of(
            new Scope("bob", "POST", "/v1/ledgers/crm/commits", "k"),
            new Scope("ada", "PUT", "/v1/ledgers/crm/commits", "k"),
            new Scope("ada", "POST", "/v1/ledgers/hr/commits", "k"))) {
      idempotency.answer(other, "body", Attempt.PERHAPS, this::counted);
    }
    assertThat(done).hasValue(4);
  }

  @Test
  void ofManyAtOnceOneIsCarriedOut() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch others = new CountDownLatch(15);
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      Callable<RouteResponse> first =
          () ->
              idempotency.answer(
                  scope("k"),
                  "body",
                  Attempt.PERHAPS,
                  () -> {
                    begun.countDown();
                    awaited(others);
                    return counted();
                  });
      Future<RouteResponse> carriedOut = threads.submit(first);
      begun.await();
      List<Future<String>> refused = new ArrayList<>();
      for (int i = 0; i < 15; i++) {
        refused.add(
            threads.submit(
                () -> {
                  try {
                    send("k", "body");
                    return "carried out";
                  } catch (ProblemException e) {
                    return e.problem().status() + " " + e.problem().code() + e.headers();
                  } finally {
                    others.countDown();
                  }
                }));
      }
      for (Future<String> each : refused) {
        assertThat(each.get()).isEqualTo("409 idempotency-in-progress{Retry-After=1}");
      }
      assertThat(carriedOut.get().status()).isEqualTo(201);
      assertThat(text(send("k", "body"))).isEqualTo("{\"n\":1}");
      assertThat(done).hasValue(1);
    } finally {
      threads.shutdown();
    }
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whatACallerDidWrongIsKept() throws IOException {
    Idempotency.Work wrong =
        () -> {
          done.incrementAndGet();
          throw HttpRequestContext.invalid("no");
        };
    assertThat(idempotency.answer(scope("k"), "body", Attempt.PERHAPS, wrong).status())
        .isEqualTo(400);
    assertThat(idempotency.answer(scope("k"), "body", Attempt.PERHAPS, wrong).headers())
        .containsKey("Idempotency-Replayed");
    assertThat(done).hasValue(1);
  }

  @Test
  void whatTheServerFailedAtIsTriedAgain() throws IOException {
    Idempotency.Work down =
        () -> {
          done.incrementAndGet();
          return RouteResponse.problem(Problem.of(503, "unavailable", "later"));
        };
    idempotency.answer(scope("k"), "body", Attempt.PERHAPS, down);
    idempotency.answer(scope("k"), "body", Attempt.PERHAPS, down);
    assertThatThrownBy(
            () ->
                idempotency.answer(
                    scope("k"),
                    "body",
                    Attempt.PERHAPS,
                    () -> {
                      throw new IllegalStateException("bug");
                    }))
        .isInstanceOf(IllegalStateException.class);
    send("k", "body");
    assertThat(done).hasValue(3);
  }

  @Test
  void longAnswersAndStreamsAreNotKept() throws IOException {
    Idempotency.Work longOne =
        () -> {
          done.incrementAndGet();
          return RouteResponse.ok(TextNode.valueOf("x".repeat(1 << 20)));
        };
    Idempotency.Work stream =
        () -> {
          done.incrementAndGet();
          return new RouteResponse.Streamed(200, "text/plain", out -> {}, Map.of());
        };
    for (Idempotency.Work work : List.of(longOne, stream)) {
      idempotency.answer(scope("k"), "body", Attempt.PERHAPS, work);
      idempotency.answer(scope("k"), "body", Attempt.PERHAPS, work);
    }
    assertThat(done).hasValue(4);
  }

  @Test
  void answersAreForgottenAfterADay() throws IOException {
    send("k", "body");
    time.pause(DAY);
    send("k", "body");
    assertThat(done).hasValue(1);
    time.pause(Duration.ofSeconds(1));
    send("k", "body");
    assertThat(done).hasValue(2);
  }

  @Test
  void theOldestAreForgottenWhenThereIsNoMoreRoom() throws IOException {
    idempotency = new Idempotency(new Capacity(DAY, 3, 1 << 20, 1 << 10), time);
    for (int i = 1; i <= 4; i++) {
      send("k" + i, "body");
    }
    send("k4", "body");
    assertThat(done).hasValue(4);
    send("k1", "body");
    assertThat(done).hasValue(5);
    idempotency = new Idempotency(new Capacity(DAY, 1000, 1000, 1 << 10), time);
    for (int i = 0; i < 100; i++) {
      send("b" + i, "body");
    }
    send("b99", "body");
    assertThat(done).hasValue(105);
    send("b0", "body");
    assertThat(done).hasValue(106);
  }

  @Test
  void whatNobodyKnowsTheOutcomeOfIsToldAgainAndNotCarriedOut() throws IOException {
    Idempotency.Work unknown =
        () -> {
          done.incrementAndGet();
          throw new OutcomeUnknownException("nobody knows");
        };
    for (int i = 0; i < 2; i++) {
      RouteResponse routeResponse =
          idempotency.answer(scope("k"), "body", Attempt.PERHAPS, unknown);
      assertThat(routeResponse.status()).isEqualTo(504);
      assertThat(routeResponse.headers().containsKey("Idempotency-Replayed")).isEqualTo(i == 1);
    }
    assertThat(idempotency.answer(scope("k"), "body", Attempt.BEFORE, unknown).status())
        .isEqualTo(504);
    assertThat(done).hasValue(1);
  }

  @Test
  void whatWasSentBeforeAndIsNotKnownIsNotCarriedOut() throws IOException {
    assertThatThrownBy(() -> idempotency.answer(scope("k"), "body", Attempt.BEFORE, this::counted))
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.problem().code()).isEqualTo("unknown-write"));
    assertThat(done).hasValue(0);
    send("k", "body");
    assertThat(text(idempotency.answer(scope("k"), "body", Attempt.BEFORE, this::counted)))
        .isEqualTo("{\"n\":1}");
  }

  @Test
  void whatWasSentBeforeAndIsKnownNotToHaveBeenDoneIsCarriedOutOnce() throws IOException {
    Idempotency.Work away =
        () -> {
          throw new StoreUnavailableException("the store is away");
        };
    for (int i = 0; i < 2; i++) {
      assertThat(idempotency.answer(scope("k"), "body", Attempt.PERHAPS, away).status())
          .isEqualTo(503);
    }
    for (int i = 0; i < 2; i++) {
      RouteResponse routeResponse =
          idempotency.answer(scope("k"), "body", Attempt.BEFORE, this::counted);
      assertThat(text(routeResponse)).isEqualTo("{\"n\":1}");
    }
    // Of a bug nobody knows what it has done before it was one.
    assertThatThrownBy(
            () ->
                idempotency.answer(
                    scope("bug"),
                    "body",
                    Attempt.PERHAPS,
                    () -> {
                      throw new IllegalStateException("bug");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(
            () -> idempotency.answer(scope("bug"), "body", Attempt.BEFORE, this::counted))
        .isInstanceOf(ProblemException.class);
    assertThat(done).hasValue(1);
  }
}
