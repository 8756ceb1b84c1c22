// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.S3Exception;

class S3FaultsTest {

  private static final S3Server SERVER = S3Server.start();
  private static final S3Client CLIENT = S3Access.client(SERVER, SERVER.secretKey());

  private S3Bucket bucket = SERVER.createBucket();
  private S3Access s3 = new S3Access(CLIENT, bucket.name());

  @BeforeEach
  void takeAFreshBucket() {
    use(S3Bucket.Conditions.JUDGED);
  }

  private void use(S3Bucket.Conditions conditions) {
    bucket = SERVER.createBucket(conditions);
    s3 = new S3Access(CLIENT, bucket.name());
  }

  @AfterAll
  static void stop() {
    CLIENT.close();
    SERVER.close();
  }

  @Test
  void aLostResponseWasApplied() {
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.LOSE_RESPONSE);

    assertThatThrownBy(() -> s3.put("k", "v")).isInstanceOf(SdkClientException.class);
    assertThat(s3.get("k")).isEqualTo("v");
  }

  @Test
  void aLostDeleteWasApplied() {
    s3.put("k", "v");
    bucket.faults().next(S3Operation.DELETE_OBJECT, ServerFault.LOSE_RESPONSE);

    assertThatThrownBy(() -> CLIENT.deleteObject(b -> b.bucket(bucket.name()).key("k")))
        .isInstanceOf(SdkClientException.class);
    assertThat(s3.keys("")).isEmpty();
  }

  @Test
  void aLostCompletionWasApplied() {
    String id = CLIENT.createMultipartUpload(b -> b.bucket(bucket.name()).key("k")).uploadId();
    CLIENT.uploadPart(
        b -> b.bucket(bucket.name()).key("k").uploadId(id).partNumber(1),
        RequestBody.fromString("v"));
    // the quoted MD5 of "v"
    CompletedPart part =
        CompletedPart.builder().partNumber(1).eTag("\"9e3669d19b675bd57058fd4664205d2a\"").build();
    bucket.faults().next(S3Operation.COMPLETE_UPLOAD, ServerFault.LOSE_RESPONSE);

    assertThatThrownBy(
            () ->
                CLIENT.completeMultipartUpload(
                    b ->
                        b.bucket(bucket.name())
                            .key("k")
                            .uploadId(id)
                            .multipartUpload(m -> m.parts(part))))
        .isInstanceOf(SdkClientException.class);
    assertThat(s3.get("k")).isEqualTo("v");
  }

  @Test
  void aLostResponseToALostRaceChangedNothing() {
    s3.put("k", "first");
    bucket.faults().next(RecordedRequest::isConditional, ServerFault.LOSE_RESPONSE);

    assertThatThrownBy(() -> s3.create("k", "second")).isInstanceOf(SdkClientException.class);
    assertThat(s3.get("k")).isEqualTo("first");
  }

  @Test
  void aCutConnectionWasNotApplied() {
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.FAIL_BEFORE);

    assertThatThrownBy(() -> s3.put("k", "v")).isInstanceOf(SdkClientException.class);
    assertThat(s3.keys("")).isEmpty();
    assertThat(s3.put("k", "again")).isNotEmpty();
  }

  @Test
  void answersTheErrorsOfS3AndDoesNotApply() {
    record Expected(ServerFault fault, int status, String code) {}
    List<Expected> expected =
        List.of(
            new Expected(ServerFault.CONFLICT, 409, "ConditionalRequestConflict"),
            new Expected(ServerFault.PRECONDITION_FAILED, 412, "PreconditionFailed"),
            new Expected(ServerFault.TOO_MANY_REQUESTS, 429, "TooManyRequests"),
            new Expected(ServerFault.INTERNAL_ERROR, 500, "InternalError"),
            new Expected(ServerFault.SLOW_DOWN, 503, "SlowDown"));
    expected.forEach(e -> bucket.faults().next(S3Operation.PUT_OBJECT, e.fault()));

    for (Expected e : expected) {
      assertThatThrownBy(() -> s3.put("k", "v")).satisfies(t -> isError(t, e.status(), e.code()));
    }
    assertThat(s3.keys("")).isEmpty();
    assertThat(bucket.faults().pending()).isZero();
  }

  @Test
  void answersAnErrorThoughItWasApplied() {
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.INTERNAL_ERROR_AFTER_APPLYING);

    assertThatThrownBy(() -> s3.put("k", "v")).satisfies(t -> isError(t, 500, "InternalError"));
    assertThat(s3.get("k")).isEqualTo("v");
  }

  @Test
  void answersAnErrorToAReader() {
    s3.put("k", "v");
    bucket.faults().next(S3Operation.GET_OBJECT, ServerFault.SLOW_DOWN);
    bucket.faults().next(S3Operation.HEAD_OBJECT, ServerFault.SLOW_DOWN);

    assertThatThrownBy(() -> s3.get("k")).satisfies(t -> isError(t, 503, "SlowDown"));
    assertThatThrownBy(() -> CLIENT.headObject(b -> b.bucket(bucket.name()).key("k")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(503));
    assertThat(s3.get("k")).isEqualTo("v");
  }

  @Test
  void aRequestHeldBeforeIsOvertaken() throws Exception {
    ServerRequestLatch serverRequestLatch = new ServerRequestLatch();
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.holdBefore(serverRequestLatch));

    CompletableFuture<String> held = CompletableFuture.supplyAsync(() -> s3.put("k", "slow"));
    serverRequestLatch.awaitArrival();
    s3.put("k", "fast");
    assertThat(s3.get("k")).isEqualTo("fast");
    serverRequestLatch.open();
    held.get(2, TimeUnit.MINUTES);
    assertThat(s3.get("k")).isEqualTo("slow");
  }

  @Test
  void aRequestHeldAfterIsSeenBeforeItIsAnswered() throws Exception {
    ServerRequestLatch serverRequestLatch = new ServerRequestLatch();
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.holdAfter(serverRequestLatch));

    CompletableFuture<String> held = CompletableFuture.supplyAsync(() -> s3.put("k", "v"));
    serverRequestLatch.awaitArrival();
    assertThat(s3.get("k")).isEqualTo("v");
    assertThat(held).isNotDone();
    serverRequestLatch.open();
    assertThat(held.get(2, TimeUnit.MINUTES)).isNotEmpty();
  }

  @Test
  void aClientThatGivesUpDoesNotUndoItsWrite() throws Exception {
    ServerRequestLatch serverRequestLatch = new ServerRequestLatch();
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.holdAfter(serverRequestLatch));

    CompletableFuture<?> write = CompletableFuture.runAsync(() -> putWithin(Duration.ofSeconds(2)));
    assertThatThrownBy(() -> write.get(2, TimeUnit.MINUTES)).hasCauseInstanceOf(SdkException.class);
    serverRequestLatch.awaitArrival();
    assertThat(s3.get("k")).isEqualTo("v");
    serverRequestLatch.open();
  }

  private void putWithin(Duration limit) {
    CLIENT.putObject(
        b -> b.bucket(bucket.name()).key("k").overrideConfiguration(o -> o.apiCallTimeout(limit)),
        RequestBody.fromString("v"));
  }

  @Test
  void aDelayedAnswerTakesItsTime() {
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.delayBefore(Duration.ofMillis(50)));
    bucket.faults().next(S3Operation.GET_OBJECT, ServerFault.delayAfter(Duration.ofMillis(50)));

    long start = System.nanoTime();
    s3.put("k", "v");
    assertThat(s3.get("k")).isEqualTo("v");
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(100));
  }

  @Test
  void randomFaultsComeAgainWithTheirSeed() {
    BucketFaults.Chance chance =
        new BucketFaults.Chance(7, 0.5, List.of(ServerFault.SLOW_DOWN, ServerFault.INTERNAL_ERROR));

    List<Integer> first = statusesOf(20, chance);
    List<Integer> second = statusesOf(20, chance);
    assertThat(first).isEqualTo(second).contains(200, 500, 503);
  }

  private List<Integer> statusesOf(int writes, BucketFaults.Chance chance) {
    bucket.faults().random(r -> r.operation() == S3Operation.PUT_OBJECT, chance);
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < writes; i++) {
      try {
        s3.put("k", "v");
        statuses.add(200);
      } catch (S3Exception e) {
        statuses.add(e.statusCode());
      }
    }
    bucket.faults().clear();
    return statuses;
  }

  @Test
  void faultsOfOneBucketSpareTheOthers() {
    S3Access other = new S3Access(CLIENT, SERVER.createBucket().name());
    bucket.faults().next(r -> true, ServerFault.SLOW_DOWN);

    other.put("k", "v");
    assertThat(bucket.faults().pending()).isEqualTo(1);
  }

  @Test
  void countsEveryRequestByWhatItAsks() {
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.FAIL_BEFORE);
    assertThatThrownBy(() -> s3.put("k", "v")).isInstanceOf(SdkClientException.class);
    String etag = s3.create("k", "v");
    s3.get("k");
    s3.get("k");
    CLIENT.headObject(b -> b.bucket(bucket.name()).key("k"));
    s3.keys("");
    s3.deleteIfMatch("k", etag);

    RequestLog log = bucket.requests();
    assertThat(log.count(S3Operation.PUT_OBJECT)).isEqualTo(2);
    assertThat(log.count(S3Operation.GET_OBJECT)).isEqualTo(2);
    assertThat(log.count(S3Operation.HEAD_OBJECT)).isEqualTo(1);
    assertThat(log.count(S3Operation.LIST_OBJECTS)).isEqualTo(1);
    assertThat(log.count(S3Operation.DELETE_OBJECT)).isEqualTo(1);
    assertThat(log.count()).isEqualTo(7);
    assertThat(log.all().get(6).header("if-match")).contains(etag);
    log.clear();
    assertThat(log.count()).isZero();
  }

  @Test
  void aCarelessBucketIgnoresEveryCondition() {
    use(S3Bucket.Conditions.IGNORED);

    s3.putIfMatch("none", "v", "\"no such version\"");
    s3.put("k", "first");
    s3.create("k", "second");
    s3.putIfMatch("k", "third", "\"no such version\"");
    assertThat(s3.get("k")).isEqualTo("third");
    s3.deleteIfMatch("k", "\"no such version\"");
    assertThat(s3.keys("")).containsExactly("none");
  }

  @Test
  void aBucketMayIgnoreConditionsOfDeletesOnly() {
    use(S3Bucket.Conditions.IGNORED_ON_DELETE);

    s3.put("k", "first");
    assertThatThrownBy(() -> s3.create("k", "second"))
        .satisfies(t -> isError(t, 412, "PreconditionFailed"));
    s3.deleteIfMatch("k", "\"no such version\"");
    assertThat(s3.keys("")).isEmpty();
  }

  @Test
  void pagesAreAsShortAsToldAndStillComplete() {
    List<String> keys = List.of("a", "b", "c/1", "c/2", "d");
    keys.forEach(key -> s3.put(key, "v"));
    bucket.limitPages(2);
    bucket.requests().clear();

    assertThat(s3.page(ListObjectsV2Request.builder().maxKeys(1000)).contents()).hasSize(2);
    assertThat(s3.keys("")).containsExactlyElementsOf(keys);
    assertThat(bucket.requests().count(S3Operation.LIST_OBJECTS)).isEqualTo(4);
  }

  @Test
  void theClockOfABucketMayBeOff() {
    bucket.skewClock(Duration.ofHours(-3));
    s3.put("k", "v");

    HeadObjectResponse head = CLIENT.headObject(b -> b.bucket(bucket.name()).key("k"));
    String date = head.sdkHttpResponse().firstMatchingHeader("Date").orElseThrow();
    Instant said = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    Instant expected = Instant.now().minus(Duration.ofHours(3));
    assertThat(said).isBetween(expected.minusSeconds(60), expected.plusSeconds(60));
    assertThat(head.lastModified()).isBetween(expected.minusSeconds(60), expected.plusSeconds(60));
  }

  private static void isError(Throwable thrown, int status, String code) {
    assertThat(thrown).isInstanceOf(S3Exception.class);
    S3Exception e = (S3Exception) thrown;
    assertThat(e.statusCode()).isEqualTo(status);
    assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
  }
}
