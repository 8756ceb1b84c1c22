// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.Listing;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectBackend.Content;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoreGoneException;
import io.tidemark.objects.UnsupportedStoreException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers that break off, send one elsewhere, or list in ways of their own. */
class S3MisbehavingServersTest {

  private final CannedServer server = new CannedServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aBucketInAnotherRegionSaysInWhich() {
    server.then(
        301,
        Map.of("x-amz-bucket-region", "eu-central-1"),
        error("PermanentRedirect", "The bucket must be addressed using the specified endpoint."));
    S3Settings writer = server.settings().access(S3Settings.Access.READ_WRITE).build();

    assertThatThrownBy(() -> TestStore.open(writer))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageContaining("the bucket bucket is in another region")
        .hasMessageContaining("write s3://bucket/p?region=eu-central-1");
  }

  @Test
  void aSignatureForAnotherRegionSaysSo() {
    server.then(
        400,
        Map.of(),
        error("AuthorizationHeaderMalformed", "the region 'us-east-1' is wrong; expecting 'x'"));

    try (S3Backend backend = reader()) {
      assertThatThrownBy(() -> TestStore.read(backend, "k"))
          .isInstanceOf(InvalidLocationException.class)
          .hasMessageContaining("expecting 'x'");
    }
  }

  @Test
  void aBucketThatIsGoneIsNoMissingObject() {
    AtomicLong nanos = new AtomicLong();
    MonotonicTime time = TestStore.timeOf(nanos);
    server.then(200, Map.of("ETag", "\"e\""), "x"); // the object
    server.then(404, Map.of(), ""); // another, in a bucket that has just answered
    server.then(404, Map.of(), "").then(200, Map.of(), ""); // later; the bucket is there
    server.then(404, Map.of(), ""); // and is remembered
    server.then(404, Map.of(), "").then(404, Map.of(), ""); // later; it is gone
    server.then(404, Map.of(), error("NoSuchBucket", "The specified bucket does not exist"));
    server.then(404, Map.of(), error("NoSuchBucket", "The specified bucket does not exist"));

    try (S3Backend backend =
        S3Backend.open(server.settings().build(), Clock.systemUTC(), TestStore.once(), time)) {
      assertThat(TestStore.read(backend, "k")).contains("x");
      assertThat(backend.head("none")).isEmpty();
      nanos.addAndGet(BucketPresence.REMEMBERED.toNanos());
      assertThat(backend.head("none")).isEmpty();
      assertThat(backend.head("none")).isEmpty();
      nanos.addAndGet(BucketPresence.REMEMBERED.toNanos());
      requireGone(() -> backend.head("k"));
      requireGone(() -> TestStore.read(backend, "k"));
      requireGone(() -> backend.list(Listing.all("")).toList());
    }
  }

  private static void requireGone(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreGoneException.class, e -> assertThat(e.code()).isEqualTo("unavailable"))
        .hasMessageContaining("the bucket bucket at http://127.0.0.1:")
        .hasMessageContaining("was there and is gone; restore it");
  }

  @Test
  void aBodyThatBreaksOffIsAnErrorAndNeverShort() {
    server.then(
        exchange -> {
          exchange.getResponseHeaders().set("ETag", "\"e\"");
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write(new byte[400]);
          exchange.getResponseBody().flush();
        });

    try (S3Backend backend = reader()) {
      Content content = content(backend);
      assertThat(content.size()).isEqualTo(1000);
      assertThatThrownBy(() -> content.stream().readAllBytes()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aBodyThatStallsIsAnErrorAfterTheTimeout() {
    CountDownLatch end = stallInTheMiddle();
    S3Settings impatient = server.settings().requestTimeout(Duration.ofSeconds(2)).build();

    try (S3Backend backend = TestStore.open(impatient)) {
      Content content = content(backend);
      assertThatThrownBy(() -> content.stream().readAllBytes())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("timed out");
    } finally {
      end.countDown();
    }
  }

  @Test
  void closingEarlyDoesntWaitForTheRest() throws IOException {
    CountDownLatch end = stallInTheMiddle();
    S3Settings patient = server.settings().requestTimeout(Duration.ofMinutes(1)).build();

    try (S3Backend backend = TestStore.open(patient)) {
      Content content = content(backend);
      assertThat(content.stream().read()).isZero();
      assertTimeout(Duration.ofSeconds(30), content::close);
    } finally {
      end.countDown();
    }
  }

  /** Half of the next body comes at once, and the connection stays open until the latch is. */
  private CountDownLatch stallInTheMiddle() {
    CountDownLatch end = new CountDownLatch(1);
    server.then(
        exchange -> {
          exchange.getResponseHeaders().set("ETag", "\"e\"");
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write(new byte[500]);
          exchange.getResponseBody().flush();
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return end;
  }

  @Test
  void aBodyIsReadToItsEndHoweverItIsRead() throws IOException {
    server.then(200, Map.of("ETag", "\"e\""), "0123456789");

    try (S3Backend backend = reader();
        InputStream stream = content(backend).stream()) {
      assertThat(stream.read()).isEqualTo('0');
      assertThat(stream.skip(2)).isEqualTo(2);
      assertThat(new String(stream.readNBytes(3), UTF_8)).isEqualTo("345");
      assertThat(new String(stream.readAllBytes(), UTF_8)).isEqualTo("6789");
      assertThat(stream.read()).isEqualTo(-1);
    }
  }

  @Test
  void anAnswerWithoutLengthOrVersionIsRefused() {
    server.then(
        exchange -> {
          exchange.getResponseHeaders().set("ETag", "\"e\"");
          exchange.sendResponseHeaders(200, 0); // chunked
          exchange.getResponseBody().write("bytes".getBytes(UTF_8));
        });
    server.then(200, Map.of(), "bytes");

    try (S3Backend backend = reader()) {
      assertThatThrownBy(() -> content(backend))
          .isInstanceOf(StoreFailureException.class)
          .hasMessageContaining("Content-Length");
      assertThatThrownBy(() -> content(backend))
          .isInstanceOf(StoreFailureException.class)
          .hasMessageContaining("no ETag");
    }
  }

  @Test
  void emptyPagesThatAreNotTheLastAreFollowed() {
    server
        .then(200, Map.of(), page("one"))
        .then(200, Map.of(), page("two", "p/a"))
        .then(200, Map.of(), page("three"))
        .then(200, Map.of(), page("", "p/b"));

    assertThat(list(Listing.all(""))).containsExactly("a", "b");
  }

  @Test
  void aPageInAnotherOrderIsPutRight() {
    server.then(200, Map.of(), page("", "p/b", "p/a", "p/%F0%9F%A6%80", "p/%EF%BD%9E"));

    assertThat(list(Listing.all(""))).containsExactly("a", "b", "～", "🦀");
  }

  @Test
  void aPageThatGoesBackIsRefused() {
    server.then(200, Map.of(), page("one", "p/b")).then(200, Map.of(), page("", "p/a"));

    assertThatThrownBy(() -> list(Listing.all("")))
        .isInstanceOf(UnsupportedStoreException.class)
        .hasMessageContaining("lists \"a\" after \"b\"");
  }

  @Test
  void aGroupThatIsOnTwoPagesIsListedOnce() {
    server
        .then(200, Map.of(), page("one", "p/a/", "p/b/"))
        .then(200, Map.of(), page("", "p/b/", "p/c"));

    assertThat(list(Listing.children(""))).containsExactly("a/", "b/", "c");
  }

  @Test
  void moreWithoutAWayToItIsAnError() {
    server.then(200, Map.of(), page("one", "p/a").replaceAll("<Next.*</Next[A-Za-z]*>", ""));

    assertThatThrownBy(() -> list(Listing.all("")))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("not how to ask for it");
  }

  private S3Backend reader() {
    return TestStore.open(server.settings().build());
  }

  private static Content content(S3Backend backend) {
    return ((ReadResult.Found<Content>) backend.get("k", Optional.empty())).content();
  }

  private List<String> list(Listing listing) {
    try (S3Backend backend = reader()) {
      return backend.list(listing).map(Listing.Entry::name).toList();
    }
  }

  private static String error(String code, String message) {
    return "<Error><Code>%s</Code><Message>%s</Message></Error>".formatted(code, message);
  }

  /** A page with these names, encoded as in a URL; one that ends with a slash is a group. */
  private static String page(String next, String... names) {
    StringBuilder xml = new StringBuilder("<ListBucketResult><EncodingType>url</EncodingType>");
    xml.append("<IsTruncated>%s</IsTruncated>".formatted(!next.isEmpty()));
    if (!next.isEmpty()) {
      xml.append("<NextContinuationToken>%s</NextContinuationToken>".formatted(next));
    }
    Arrays.stream(names)
        .map(
            name ->
                name.endsWith("/")
                    ? "<CommonPrefixes><Prefix>%s</Prefix></CommonPrefixes>"
                    : "<Contents><Key>%s</Key><ETag>\"e\"</ETag><Size>1</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>")
        .forEach(xml::append);
    return xml.append("</ListBucketResult>").toString().formatted((Object[]) names);
  }
}
