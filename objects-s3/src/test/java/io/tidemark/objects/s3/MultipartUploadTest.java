// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static io.tidemark.objects.s3.TestStore.attempt;
import static io.tidemark.objects.s3.TestStore.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectBackend.Content;
import io.tidemark.objects.ObjectBackend.Head;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.ServerClock;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.objects.s3.S3Settings.Multipart;
import io.tidemark.testkit.servers.RecordedRequest;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Operation;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import io.tidemark.testkit.servers.ServerFault;
import io.tidemark.testkit.servers.ServerRequestLatch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

@ExtendWith(ServerExtension.class)
class MultipartUploadTest {

  private static final int PART = Multipart.SMALLEST_PART;
  private static final byte[] BYTES = new byte[3 * PART + 17];

  static {
    new Random(7).nextBytes(BYTES);
  }

  private final S3Bucket bucket;
  private final S3Settings settings;
  private final S3Backend backend;

  MultipartUploadTest(S3Server server) {
    bucket = server.createBucket();
    settings = TestStore.settings(bucket).multipart(new Multipart(1 << 20, PART, 2)).build();
    backend = TestStore.open(settings);
  }

  @AfterEach
  void close() {
    bucket.faults().clear();
    backend.close();
  }

  @Test
  void aLargeObjectGoesInParts() throws IOException {
    bucket.requests().clear();
    AtomicInteger opened = new AtomicInteger();
    Body body =
        Body.ofStream(
            BYTES.length,
            () -> {
              opened.incrementAndGet();
              return new ByteArrayInputStream(BYTES);
            });

    Written written = (Written) backend.put("k", body, Condition.none(), "the-attempt");

    assertThat(opened).hasValue(1);
    assertThat(bucket.requests().count(S3Operation.CREATE_UPLOAD)).isEqualTo(1);
    assertThat(bucket.requests().count(S3Operation.UPLOAD_PART)).isEqualTo(4);
    assertThat(bucket.requests().count(S3Operation.COMPLETE_UPLOAD)).isEqualTo(1);
    assertThat(bucket.requests().count()).isEqualTo(6);
    Head head = backend.head("k").orElseThrow();
    assertThat(head.etag()).isEqualTo(written.etag());
    assertThat(head.size()).isEqualTo(BYTES.length);
    assertThat(head.attempt()).hasValue("the-attempt");
    assertThat(bytes("k")).isEqualTo(BYTES);
  }

  @Test
  void itsVersionCanBeReplacedConditionally() {
    Written written = (Written) backend.put("k", Body.of(BYTES), Condition.none(), attempt());

    assertThat(
            backend.put("k", Body.of("v"), Condition.ifMatch(written.etag()), attempt()).written())
        .isTrue();
  }

  @Test
  void aConditionalWriteIsOneRequestHoweverLarge() {
    bucket.requests().clear();

    assertThat(backend.put("k", Body.of(BYTES), Condition.ifAbsent(), attempt()).written())
        .isTrue();
    assertThat(bucket.requests().count()).isEqualTo(1);
    assertThat(bucket.requests().count(S3Operation.PUT_OBJECT)).isEqualTo(1);
  }

  @Test
  void aConditionalWriteThatIsTooLargeForOneRequestIsRefused() {
    Body body = Body.ofStream((5L << 30) + 1, () -> new ByteArrayInputStream(new byte[0]));

    assertThatThrownBy(() -> backend.put("k", body, Condition.ifAbsent(), attempt()))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("S3 takes at most 5368709120");
  }

  @Test
  void aWriteOfTheThresholdIsOneRequest() {
    bucket.requests().clear();

    backend.put("k", Body.of(new byte[1 << 20]), Condition.none(), attempt());

    assertThat(bucket.requests().count()).isEqualTo(1);
  }

  @Test
  void aPartThatFailsLeavesTheOldObjectAndNoParts() {
    write(backend, "k", "before");
    bucket.faults().next(this::isSecondPart, ServerFault.INTERNAL_ERROR);

    assertThatThrownBy(() -> backend.put("k", Body.of(BYTES), Condition.none(), attempt()))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("data/store/k");
    assertNothingIsLeft();
    assertThat(TestStore.read(backend, "k")).hasValue("before");
  }

  @Test
  void aPartWhoseAnswerIsLostWasStillNotAWrite() {
    bucket.faults().next(this::isSecondPart, ServerFault.LOSE_RESPONSE);

    assertThatThrownBy(() -> backend.put("k", Body.of(BYTES), Condition.none(), attempt()))
        .isInstanceOf(StoreUnavailableException.class);
    assertNothingIsLeft();
    assertThat(backend.head("k")).isEmpty();
  }

  @Test
  void anUploadThatMayNotStartIsDenied() {
    bucket.faults().next(S3Operation.CREATE_UPLOAD, ServerFault.answer(403, "AccessDenied"));

    assertThatThrownBy(() -> backend.put("k", Body.of(BYTES), Condition.none(), attempt()))
        .isInstanceOf(StoreAccessException.class);
    assertThat(bucket.requests().count(S3Operation.UPLOAD_PART)).isZero();
  }

  @Test
  void aCompletionWhoseAnswerIsLostIsUnknown() {
    bucket.faults().next(S3Operation.COMPLETE_UPLOAD, ServerFault.LOSE_RESPONSE);

    assertThatThrownBy(() -> backend.put("k", Body.of(BYTES), Condition.none(), "the-attempt"))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(backend.head("k").flatMap(Head::attempt)).hasValue("the-attempt");
    assertNothingIsLeft();
  }

  @Test
  void aCompletionThatFailsIsUnknownAndLeavesNoParts() {
    bucket.faults().next(S3Operation.COMPLETE_UPLOAD, ServerFault.INTERNAL_ERROR);

    assertThatThrownBy(() -> backend.put("k", Body.of(BYTES), Condition.none(), attempt()))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(backend.head("k")).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void aCompletionThatFailsAfterItsAnswerBeganIsUnknown() {
    bucket.faults().next(S3Operation.COMPLETE_UPLOAD, ServerFault.answer(200, "InternalError"));

    assertThatThrownBy(() -> backend.put("k", Body.of(BYTES), Condition.none(), attempt()))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("InternalError");
    assertNothingIsLeft();
  }

  @Test
  void aCompletionOfWhatIsGoneIsUnknown() {
    bucket.faults().next(S3Operation.COMPLETE_UPLOAD, ServerFault.answer(404, "NoSuchUpload"));

    assertThatThrownBy(() -> backend.put("k", Body.of(BYTES), Condition.none(), attempt()))
        .isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  void aBodyOfAnotherLengthThanItSaysIsNotWritten() {
    int length = 2 * PART;
    Body shorter = Body.ofStream(length + 1, () -> new ByteArrayInputStream(new byte[length]));
    Body longer = Body.ofStream(length, () -> new ByteArrayInputStream(new byte[length + 1]));

    assertThatThrownBy(() -> backend.put("k", shorter, Condition.none(), attempt()))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("its body has " + length + " bytes");
    assertThatThrownBy(() -> backend.put("k", longer, Condition.none(), attempt()))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("more than the " + length + " bytes");
    assertThat(backend.head("k")).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void anInterruptedUploadIsAborted() throws Exception {
    ServerRequestLatch serverRequestLatch = new ServerRequestLatch();
    bucket.faults().next(S3Operation.UPLOAD_PART, ServerFault.holdBefore(serverRequestLatch));
    bucket.faults().next(S3Operation.UPLOAD_PART, ServerFault.holdBefore(serverRequestLatch));
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread writer =
        new Thread(
            () -> {
              try {
                backend.put("k", Body.of(BYTES), Condition.none(), attempt());
                outcome.completeExceptionally(new AssertionError("it was not interrupted"));
              } catch (Throwable e) {
                outcome.complete(e);
              }
              flag.complete(Thread.currentThread().isInterrupted());
            });
    writer.start();
    serverRequestLatch.awaitArrival();
    writer.interrupt();
    serverRequestLatch.open();

    assertThat(outcome.get()).isInstanceOf(StoreUnavailableException.class);
    assertThat(flag.get()).isTrue();
    assertThat(backend.head("k")).isEmpty();
    assertNothingIsLeft();
  }

  private boolean isSecondPart(RecordedRequest request) {
    return request.operation() == S3Operation.UPLOAD_PART
        && "2".equals(request.query().get("partNumber"));
  }

  private void assertNothingIsLeft() {
    try (S3Client client =
        S3Clients.create(settings, new ServerClock(Clock.systemUTC(), Duration.ofSeconds(1)))) {
      assertThat(client.listMultipartUploads(r -> r.bucket(bucket.name())).uploads())
          .extracting(MultipartUpload::key)
          .isEmpty();
    }
  }

  private byte[] bytes(String key) throws IOException {
    try (Content content =
        ((ReadResult.Found<Content>) backend.get(key, Optional.empty())).content()) {
      return content.stream().readAllBytes();
    }
  }
}
