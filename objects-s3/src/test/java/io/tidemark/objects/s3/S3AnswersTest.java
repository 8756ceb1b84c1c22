// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static io.tidemark.objects.s3.TestStore.attempt;
import static io.tidemark.objects.s3.TestStore.read;
import static io.tidemark.objects.s3.TestStore.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StorageFullException;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.testkit.objects.Race;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Operation;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import io.tidemark.testkit.servers.ServerFault;
import io.tidemark.testkit.servers.ServerRequestLatch;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each answer of the server, and each missing one, becomes. */
@ExtendWith(ServerExtension.class)
class S3AnswersTest {

  private static final DateTimeFormatter SIGNED =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final S3Bucket bucket;
  private final S3Backend backend;

  S3AnswersTest(S3Server server) {
    bucket = server.createBucket();
    backend = TestStore.openWithConditionalDelete(bucket, TestStore.settings(bucket).build());
  }

  @AfterEach
  void close() {
    bucket.faults().clear();
    backend.close();
  }

  static Stream<Arguments> writesThatWereCertainlyNotApplied() {
    return Stream.of(
        Arguments.of(ServerFault.CONFLICT, StoreUnavailableException.class),
        Arguments.of(ServerFault.answer(409, "OperationAborted"), StoreUnavailableException.class),
        Arguments.of(ServerFault.TOO_MANY_REQUESTS, StoreUnavailableException.class),
        Arguments.of(ServerFault.SLOW_DOWN, StoreUnavailableException.class),
        Arguments.of(ServerFault.answer(503, "SlowDownWrite"), StoreUnavailableException.class),
        Arguments.of(ServerFault.answer(400, "RequestTimeout"), StoreUnavailableException.class),
        Arguments.of(ServerFault.answer(400, "IncompleteBody"), StoreUnavailableException.class),
        Arguments.of(
            ServerFault.answer(403, "RequestTimeTooSkewed"), StoreUnavailableException.class),
        Arguments.of(ServerFault.answer(403, "AccessDenied"), StoreAccessException.class),
        Arguments.of(ServerFault.answer(401, "Unauthorized"), StoreAccessException.class),
        Arguments.of(ServerFault.answer(400, "ExpiredToken"), StoreAccessException.class),
        Arguments.of(ServerFault.answer(400, "EntityTooLarge"), StoreFailureException.class),
        Arguments.of(ServerFault.answer(405, "MethodNotAllowed"), StoreFailureException.class),
        Arguments.of(ServerFault.answer(501, "NotImplemented"), UnsupportedStoreException.class),
        Arguments.of(ServerFault.answer(507, "XMinioStorageFull"), StorageFullException.class),
        Arguments.of(ServerFault.answer(403, "QuotaExceeded"), StorageFullException.class));
  }

  @ParameterizedTest
  @MethodSource("writesThatWereCertainlyNotApplied")
  void aRefusedWriteChangesNothingAndIsSentOnce(
      ServerFault serverFault, Class<? extends TidemarkException> expected) {
    ETag etag = write(backend, "k", "before");
    bucket.requests().clear();
    bucket.faults().next(S3Operation.PUT_OBJECT, serverFault);

    assertThatThrownBy(() -> backend.put("k", Body.of("after"), Condition.ifMatch(etag), attempt()))
        .isInstanceOf(expected)
        .hasMessageContaining("s3://" + bucket.name() + "/data/store/k");
    assertThat(bucket.requests().count()).isEqualTo(1);
    assertThat(read(backend, "k")).hasValue("before");
  }

  static Stream<ServerFault> faultsThatSettleNothing() {
    return Stream.of(
        ServerFault.LOSE_RESPONSE,
        ServerFault.FAIL_BEFORE,
        ServerFault.INTERNAL_ERROR,
        ServerFault.INTERNAL_ERROR_AFTER_APPLYING,
        ServerFault.answer(502, "BadGateway"),
        ServerFault.answer(503, "ServiceUnavailable"),
        ServerFault.answer(504, "GatewayTimeout"));
  }

  @ParameterizedTest
  @MethodSource("faultsThatSettleNothing")
  void aLostAnswerToAConditionalPutIsSaidToBeUnknown(ServerFault serverFault) {
    bucket.requests().clear();
    bucket.faults().next(S3Operation.PUT_OBJECT, serverFault);
    String attempt = attempt();

    assertThatThrownBy(() -> backend.put("k", Body.of("v"), Condition.ifAbsent(), attempt))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("data/store/k")
        .hasMessageContaining("read it back");
    assertThat(bucket.requests().count()).isEqualTo(1);
    boolean applied = serverFault.when() == ServerFault.When.AFTER_APPLYING;
    assertThat(backend.head("k").flatMap(head -> head.attempt()))
        .isEqualTo(applied ? Optional.of(attempt) : Optional.empty());
  }

  @ParameterizedTest
  @MethodSource("faultsThatSettleNothing")
  void aLostAnswerToAnUnconditionalPutIsSaidToBeUnknown(ServerFault serverFault) {
    bucket.requests().clear();
    bucket.faults().next(S3Operation.PUT_OBJECT, serverFault);

    assertThatThrownBy(() -> write(backend, "k", "v")).isInstanceOf(OutcomeUnknownException.class);
    assertThat(bucket.requests().count()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("faultsThatSettleNothing")
  void aLostAnswerToADeleteIsSaidToBeUnknown(ServerFault serverFault) {
    ETag etag = write(backend, "k", "v");
    bucket.requests().clear();
    bucket.faults().next(S3Operation.DELETE_OBJECT, serverFault);

    assertThatThrownBy(() -> backend.delete("k", Optional.of(etag)))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("delete s3://" + bucket.name() + "/data/store/k");
    assertThat(bucket.requests().count()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("faultsThatSettleNothing")
  void aReadWithoutAnAnswerMayBeTriedAgain(ServerFault serverFault) {
    write(backend, "k", "v");
    bucket.requests().clear();
    bucket.faults().next(S3Operation.GET_OBJECT, serverFault);
    bucket.faults().next(S3Operation.HEAD_OBJECT, serverFault);
    bucket.faults().next(S3Operation.LIST_OBJECTS, serverFault);

    assertThatThrownBy(() -> backend.get("k", Optional.empty()))
        .isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> backend.head("k")).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> backend.list(Listing.all("")).toList())
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(bucket.requests().count()).isEqualTo(3);
    assertThat(read(backend, "k")).hasValue("v");
  }

  @Test
  void aServerThatIsTooSlowSettlesNothing() throws Exception {
    ServerRequestLatch serverRequestLatch = new ServerRequestLatch();
    S3Settings impatient = TestStore.settings(bucket).requestTimeout(Duration.ofSeconds(3)).build();
    try (S3Backend hurried = S3Backend.open(impatient, Clock.systemUTC(), Retry.standard())) {
      write(backend, "there", "v");
      bucket.requests().clear();
      bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.holdAfter(serverRequestLatch));
      bucket.faults().next(S3Operation.DELETE_OBJECT, ServerFault.holdBefore(serverRequestLatch));
      bucket.faults().next(S3Operation.GET_OBJECT, ServerFault.holdAfter(serverRequestLatch));

      List<Throwable> failures =
          Race.run(
              3,
              n ->
                  switch (n) {
                    case 0 ->
                        catchThrowable(
                            () -> hurried.put("k", Body.of("v"), Condition.ifAbsent(), attempt()));
                    case 1 -> catchThrowable(() -> hurried.delete("there", Optional.empty()));
                    default -> catchThrowable(() -> hurried.get("there", Optional.empty()));
                  });
      assertThat(failures.get(0)).isInstanceOf(OutcomeUnknownException.class);
      assertThat(failures.get(1)).isInstanceOf(OutcomeUnknownException.class);
      assertThat(failures.get(2)).isInstanceOf(StoreUnavailableException.class);
      assertThat(bucket.requests().count()).isEqualTo(3);
      assertThat(read(backend, "k")).hasValue("v");
      assertThat(read(backend, "there")).hasValue("v");
    } finally {
      serverRequestLatch.open();
    }
  }

  @Test
  void ourOwnSuccessThatSomebodyRepeatedIsRecognised() {
    String attempt = attempt();
    Written first = (Written) backend.put("k", Body.of("v"), Condition.ifAbsent(), attempt);

    // What a proxy does that sends a request again: the second one finds the first one's object.
    WriteResult second = backend.put("k", Body.of("v"), Condition.ifAbsent(), attempt);

    assertThat(second).isEqualTo(first);
  }

  @Test
  void aLostRaceTellsWhoWon() {
    ETag etag = write(backend, "k", "mine");
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.PRECONDITION_FAILED);

    assertThat(backend.put("k", Body.of("v"), Condition.ifMatch(etag), attempt()))
        .isEqualTo(new PreconditionFailed(Optional.of(etag)));
  }

  @Test
  void aLostRaceOfWhichTheWinnerCantBeAskedMayBeTriedAgain() {
    write(backend, "k", "theirs");
    bucket.faults().next(S3Operation.HEAD_OBJECT, ServerFault.SLOW_DOWN);

    assertThatThrownBy(() -> backend.put("k", Body.of("v"), Condition.ifAbsent(), attempt()))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(read(backend, "k")).hasValue("theirs");
  }

  @Test
  void aConditionThatNobodySetIsNoLostRace() {
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.PRECONDITION_FAILED);

    assertThatThrownBy(() -> write(backend, "k", "v"))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("412 PreconditionFailed");
  }

  @Test
  void clocksTooFarApartAreMendedByTheNextTry() {
    Duration skew = Duration.ofMinutes(-10);
    try {
      learnTheClock(skew);
      bucket.requests().clear();
      assertThat(read(backend, "k")).isEmpty();

      String signed = bucket.requests().all().get(0).header("x-amz-date").orElseThrow();
      assertThat(SIGNED.parse(signed, Instant::from))
          .isCloseTo(Instant.now().plus(skew), within(1, ChronoUnit.MINUTES));
    } finally {
      learnTheClock(Duration.ZERO); // the SDK keeps what it learned for all clients of the JVM
    }
  }

  private void learnTheClock(Duration skew) {
    bucket.skewClock(skew);
    bucket.faults().next(S3Operation.GET_OBJECT, ServerFault.answer(403, "RequestTimeTooSkewed"));
    assertThatThrownBy(() -> read(backend, "k")).isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void anInterruptedWriteThatHadLeftIsUnknownAndTheFlagStays() throws Exception {
    ServerRequestLatch serverRequestLatch = new ServerRequestLatch();
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.holdAfter(serverRequestLatch));
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread writer =
        new Thread(
            () -> {
              try {
                write(backend, "k", "v");
                flag.completeExceptionally(new AssertionError("it was not interrupted"));
              } catch (OutcomeUnknownException e) {
                flag.complete(Thread.currentThread().isInterrupted());
              } catch (Throwable e) {
                flag.completeExceptionally(e);
              }
            });
    writer.start();
    serverRequestLatch.awaitArrival();
    writer.interrupt();
    serverRequestLatch.open();
    writer.join();

    assertThat(result(flag)).isTrue();
  }

  @Test
  void anInterruptedThreadSendsNothing() throws Exception {
    bucket.requests().clear();
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> write(backend, "k", "v"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(bucket.requests().count()).isZero();
  }

  @Test
  void noFreeConnectionMeansNothingWasSent() throws Exception {
    S3Settings settings =
        TestStore.settings(bucket).maxConnections(1).requestTimeout(Duration.ofSeconds(3)).build();
    try (S3Backend one = TestStore.open(settings)) {
      write(one, "k", "v");
      bucket.requests().clear();
      var held = one.get("k", Optional.empty());
      assertThat(held).isNotNull();

      assertThatThrownBy(() -> write(one, "k", "w")).isInstanceOf(StoreUnavailableException.class);
      assertThat(bucket.requests().count(S3Operation.PUT_OBJECT)).isZero();
    }
  }

  private static <T> T result(CompletableFuture<T> future) throws Exception {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }
}
