// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static io.tidemark.objects.s3.TestStore.attempt;
import static io.tidemark.objects.s3.TestStore.read;
import static io.tidemark.objects.s3.TestStore.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.InvalidKeyException;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend.Content;
import io.tidemark.objects.ObjectBackend.Head;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.testkit.servers.RecordedRequest;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Operation;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import io.tidemark.testkit.servers.ServerFault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(ServerExtension.class)
class S3BackendTest {

  private static final ETag OTHER = new ETag("0123456789abcdef0123456789abcdef");

  private final S3Bucket bucket;
  private final S3Backend backend;

  S3BackendTest(S3Server server) {
    bucket = server.createBucket();
    backend = TestStore.openWithConditionalDelete(bucket, TestStore.settings(bucket).build());
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void eachOperationIsOneRequest() {
    write(backend, "k", "v");
    backend.head("k");
    read(backend, "k");
    backend.delete("k", Optional.empty());
    assertThat(backend.list(Listing.all(""))).isEmpty();

    assertThat(bucket.requests().all().stream().map(RecordedRequest::operation))
        .containsExactly(
            S3Operation.PUT_OBJECT,
            S3Operation.HEAD_OBJECT,
            S3Operation.GET_OBJECT,
            S3Operation.DELETE_OBJECT,
            S3Operation.LIST_OBJECTS);
  }

  @Test
  void keysLieUnderThePrefix() {
    write(backend, "a/b", "v");

    assertThat(bucket.requests().all().get(0).key()).isEqualTo("data/store/a/b");
    try (S3Backend root = TestStore.open(TestStore.settings(bucket).prefix("").build())) {
      assertThat(read(root, "data/store/a/b")).hasValue("v");
      write(root, "at-the-root", "v");
      assertThat(root.list(Listing.children("")).map(Listing.Entry::name))
          .containsExactly("at-the-root", "data/");
      assertThat(root.capabilities().location()).isEqualTo("s3://" + bucket.name());
    }
  }

  @Test
  void theHeadTellsVersionSizeTimeAndAttempt() {
    Instant before = Instant.now().minusSeconds(2);
    Written written = (Written) backend.put("k", Body.of("hello"), Condition.none(), "the-attempt");

    Head head = backend.head("k").orElseThrow();

    assertThat(head.etag()).isEqualTo(written.etag());
    assertThat(head.size()).isEqualTo(5);
    assertThat(head.attempt()).hasValue("the-attempt");
    assertThat(head.lastModified()).isBetween(before, Instant.now().plusSeconds(2));
  }

  @Test
  void whatIsAbsentIsAValue() {
    assertThat(backend.get("none", Optional.empty())).isEqualTo(new ReadResult.Absent<Content>());
    assertThat(backend.get("none", Optional.of(OTHER))).isEqualTo(new ReadResult.Absent<Content>());
    assertThat(backend.head("none")).isEmpty();
    assertThat(backend.delete("none", Optional.empty())).isEqualTo(DeleteResult.Deleted.DELETED);
    assertThat(bucket.requests().count()).isEqualTo(4);
  }

  @Test
  void aKnownVersionIsNotFetchedAgain() {
    ETag etag = write(backend, "k", "v");

    assertThat(backend.get("k", Optional.of(etag)))
        .isEqualTo(new ReadResult.NotModified<Content>());
    write(backend, "k", "w");
    assertThat(backend.get("k", Optional.of(etag))).isInstanceOf(ReadResult.Found.class);
  }

  @Test
  void aCreationNeedsAbsence() {
    ETag first = ((Written) backend.put("k", Body.of("1"), Condition.ifAbsent(), attempt())).etag();

    assertThat(backend.put("k", Body.of("2"), Condition.ifAbsent(), attempt()))
        .isEqualTo(new PreconditionFailed(Optional.of(first)));
    assertThat(read(backend, "k")).hasValue("1");
  }

  @Test
  void aReplacementNeedsTheVersion() {
    ETag first = write(backend, "k", "1");
    ETag second =
        ((Written) backend.put("k", Body.of("2"), Condition.ifMatch(first), attempt())).etag();
    bucket.requests().clear();

    assertThat(backend.put("k", Body.of("3"), Condition.ifMatch(first), attempt()))
        .isEqualTo(new PreconditionFailed(Optional.of(second)));
    assertThat(bucket.requests().count(S3Operation.PUT_OBJECT)).isEqualTo(1);
    assertThat(bucket.requests().count(S3Operation.HEAD_OBJECT)).isEqualTo(1);
    assertThat(bucket.requests().all().get(0).header("if-match"))
        .hasValue("\"" + first.value() + "\"");
    assertThat(read(backend, "k")).hasValue("2");
  }

  @Test
  void aReplacementOfNothingFailsWithoutAnotherLook() {
    assertThat(backend.put("none", Body.of("v"), Condition.ifMatch(OTHER), attempt()))
        .isEqualTo(new PreconditionFailed(Optional.empty()));
    assertThat(bucket.requests().count()).isEqualTo(1);
  }

  @Test
  void aConditionalDeleteNeedsTheVersion() {
    ETag first = write(backend, "k", "1");
    ETag second = write(backend, "k", "2");

    assertThat(backend.delete("k", Optional.of(first)))
        .isEqualTo(new PreconditionFailed(Optional.of(second)));
    assertThat(read(backend, "k")).hasValue("2");
    assertThat(backend.delete("k", Optional.of(second))).isEqualTo(DeleteResult.Deleted.DELETED);
    assertThat(backend.head("k")).isEmpty();
    bucket.faults().next(S3Operation.DELETE_OBJECT, ServerFault.answer(404, "NoSuchKey"));
    assertThat(backend.delete("k", Optional.of(second)))
        .isEqualTo(new PreconditionFailed(Optional.empty()));
  }

  @Test
  void aConditionalDeleteIsNotSentWhereItWouldBeIgnored() {
    S3Bucket careless = bucket.server().createBucket(S3Bucket.Conditions.IGNORED_ON_DELETE);
    try (S3Backend store = TestStore.open(careless)) {
      ETag etag = write(store, "k", "v");

      assertThatThrownBy(() -> store.delete("k", Optional.of(etag)))
          .isInstanceOf(UnsupportedStoreException.class)
          .hasMessageContaining("data/store/k")
          .hasMessageContaining("conditional write");
      assertThat(read(store, "k")).hasValue("v");
      assertThat(careless.requests().count(S3Operation.DELETE_OBJECT)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "two  spaces",
        "plus+plus",
        "per%cent",
        "per%20cent",
        "a&b=c",
        "what?#why",
        "semi;colon:at@",
        "~.-_'()!*",
        "quote\"s<xml>",
        "back\\slash",
        "é/日本語",
        "🦀/🌊",
        "{x}|^`$,",
        " leading and trailing ",
        "no character \uFFFF\uFFFE"
      })
  void oddKeysAreTakenAsTheyAre(String key) {
    write(backend, key, "v");

    assertThat(read(backend, key)).hasValue("v");
    assertThat(backend.head(key)).isPresent();
    assertThat(backend.list(Listing.all("")).map(Listing.Entry::name)).containsExactly(key);
    assertThat(backend.list(Listing.all(key)).map(Listing.Entry::name)).containsExactly(key);
    backend.delete(key, Optional.empty());
    assertThat(backend.head(key)).isEmpty();
  }

  @Test
  void aKeyThatIsTooLongWithItsPrefixIsRefused() {
    String longest = "k".repeat(1024 - "data/store/".length());
    write(backend, longest, "v");

    assertThat(read(backend, longest)).hasValue("v");
    assertThatThrownBy(() -> write(backend, longest + "k", "v"))
        .isInstanceOf(InvalidKeyException.class)
        .hasMessageContaining("with the prefix of s3://" + bucket.name() + "/data/store");
    assertThat(backend.list(Listing.all("k".repeat(1024)))).isEmpty();
  }

  @Test
  void largeBodiesAreStreamedOnceAndWhole() {
    byte[] bytes = new byte[3 << 20];
    new Random(42).nextBytes(bytes);
    AtomicInteger opened = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    Body body =
        Body.ofStream(
            bytes.length,
            () -> {
              opened.incrementAndGet();
              return new ByteArrayInputStream(bytes) {
                @Override
                public void close() {
                  closed.incrementAndGet();
                }
              };
            });

    assertThat(backend.put("large", body, Condition.ifAbsent(), attempt()).written()).isTrue();

    assertThat(opened).hasValue(1);
    assertThat(closed).hasPositiveValue();
    assertThat(bytesOf("large")).isEqualTo(bytes);
    assertThat(bucket.requests().all().get(0).header("expect")).isEmpty();
  }

  @Test
  void aLargeBodyThatLosesLeavesTheConnectionsUsable() {
    write(backend, "k", "there");

    for (int i = 0; i < 10; i++) {
      assertThat(backend.put("k", Body.of(new byte[2 << 20]), Condition.ifAbsent(), attempt()))
          .isInstanceOf(PreconditionFailed.class);
      assertThat(read(backend, "k")).hasValue("there");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 2 << 20})
  void aBodyOfAnotherLengthThanItSaysIsNotWritten(int length) {
    Body shorter = Body.ofStream(length + 1, () -> new ByteArrayInputStream(new byte[length]));
    Body longer = Body.ofStream(length, () -> new ByteArrayInputStream(new byte[length + 1]));

    for (Condition condition : List.of(Condition.none(), Condition.ifAbsent())) {
      assertThatThrownBy(() -> backend.put("k", shorter, condition, attempt()))
          .isInstanceOf(StoreFailureException.class)
          .hasMessageContaining("its body has " + length + " bytes")
          .hasMessageContaining("nothing was written");
      assertThatThrownBy(() -> backend.put("k", longer, condition, attempt()))
          .isInstanceOf(StoreFailureException.class)
          .hasMessageContaining("more than the " + length + " bytes");
    }
    assertThat(backend.head("k")).isEmpty();
    write(backend, "k", "and the next one works");
  }

  @Test
  void aBodyThatCantBeReadIsNotWritten() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the disk is gone");
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            return read();
          }
        };
    Body body =
        Body.ofStream(
            3 << 20,
            () -> new SequenceInputStream(new ByteArrayInputStream(new byte[2 << 20]), broken));

    assertThatThrownBy(() -> backend.put("k", body, Condition.ifAbsent(), attempt()))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("the disk is gone");
    assertThat(backend.head("k")).isEmpty();
  }

  @Test
  void aStreamThatIsClosedEarlyGivesUpItsConnection() throws IOException {
    backend.put("large", Body.of(new byte[8 << 20]), Condition.none(), attempt());
    try (S3Backend one = TestStore.open(TestStore.settings(bucket).maxConnections(1).build())) {
      for (int i = 0; i < 5; i++) {
        ReadResult.Found<Content> found =
            (ReadResult.Found<Content>) one.get("large", Optional.empty());
        assertThat(found.content().stream().read()).isZero();
        found.content().close();
      }
      assertThat(one.head("large")).isPresent();
    }
  }

  @Test
  void aStoreForReadingSendsNothingOnOpeningAndRefusesWrites() {
    write(backend, "k", "v");
    bucket.requests().clear();
    S3Settings settings = TestStore.settings(bucket).access(S3Settings.Access.READ_ONLY).build();

    try (S3Backend reader = TestStore.open(settings)) {
      assertThat(bucket.requests().count()).isZero();
      assertThat(read(reader, "k")).hasValue("v");
      assertThat(reader.list(Listing.all(""))).hasSize(1);
      assertThat(bucket.requests().count()).isEqualTo(2);
      assertThatThrownBy(() -> write(reader, "k", "w"))
          .isInstanceOf(StoreAccessException.class)
          .hasMessageContaining("access=read-only");
      assertThatThrownBy(() -> reader.delete("k", Optional.empty()))
          .isInstanceOf(StoreAccessException.class);
      assertThat(bucket.requests().count()).isEqualTo(2);
    }
  }

  @Test
  void aStoreForReadingMakesSureOnceThatAnAbsentObjectIsntAnAbsentBucket() {
    S3Settings settings = TestStore.settings(bucket).access(S3Settings.Access.READ_ONLY).build();

    try (S3Backend reader = TestStore.open(settings)) {
      assertThat(reader.head("none")).isEmpty();
      assertThat(reader.head("none")).isEmpty();
      assertThat(bucket.requests().count(S3Operation.HEAD_OBJECT)).isEqualTo(2);
      assertThat(bucket.requests().count()).isEqualTo(3);
    }
  }

  @Test
  void theClockFollowsTheServer() {
    bucket.skewClock(Duration.ofHours(-2));
    read(backend, "none");

    assertThat(backend.clock().instant())
        .isCloseTo(Instant.now().minus(Duration.ofHours(2)), within(1, ChronoUnit.MINUTES));
  }

  @Test
  void theClockOfAServerThatAgreesIsOurs() {
    Instant before = Instant.now();
    Instant shown = backend.clock().instant();

    assertThat(shown).isBetween(before, Instant.now());
  }

  @Test
  void aClosedStoreSaysSo() {
    backend.close();

    assertThatThrownBy(() -> backend.head("k"))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("has been closed");
    assertThatThrownBy(() -> write(backend, "k", "v")).isInstanceOf(StoreFailureException.class);
  }

  @Test
  void theLocationOpensIt() {
    String location =
        "s3://%s/data/store?access=read-only&region=%s&endpoint=%s"
            .formatted(bucket.name(), bucket.server().region(), bucket.server().endpoint());

    try (ObjectStore store = ObjectStore.open(location)) {
      assertThat(store).hasToString("s3://" + bucket.name() + "/data/store");
    }
  }

  private byte[] bytesOf(String key) {
    try (Content content =
        ((ReadResult.Found<Content>) backend.get(key, Optional.empty())).content()) {
      return content.stream().readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
