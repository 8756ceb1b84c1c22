// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectBackend.Content;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Operation;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Opens backends on the test server, and says in a word what tests do with them. */
final class TestStore {

  private TestStore() {}

  static AwsCredentialsProvider credentials(S3Server server) {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(server.accessKey(), server.secretKey()));
  }

  /** A store in a folder of the bucket. */
  static S3SettingsBuilder settings(S3Bucket bucket) {
    S3Server server = bucket.server();
    return S3Settings.builder(bucket.name())
        .prefix("data/store")
        .region(server.region())
        .endpoint(server.endpoint())
        .credentials(credentials(server));
  }

  /** Opens a store and forgets what that took, so that a test counts only its own requests. */
  static S3Backend open(S3Bucket bucket) {
    S3Backend backend = open(settings(bucket).build());
    bucket.requests().clear();
    return backend;
  }

  /**
   * Opens a store that takes conditional deletes: one whose server tells, at least while it is
   * probed, that there is nothing to delete.
   */
  static S3Backend openWithConditionalDelete(S3Bucket bucket, S3Settings settings) {
    bucket.faults().next(S3Operation.DELETE_OBJECT, ServerFault.answer(404, "NoSuchKey"));
    S3Backend backend = open(settings);
    assertThat(backend.capabilities().conditionalDelete()).isTrue();
    bucket.requests().clear();
    return backend;
  }

  /** Opens a store whose probe isn't repeated. */
  static S3Backend open(S3Settings settings) {
    return S3Backend.open(settings, Clock.systemUTC(), once());
  }

  static Retry once() {
    return new Retry(
        Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(1), MonotonicTime.system());
  }

  /** A clock that stands still until the test moves it. */
  static MonotonicTime timeOf(AtomicLong nanos) {
    return new MonotonicTime() {
      @Override
      public long nanos() {
        return nanos.get();
      }

      @Override
      public void pause(Duration duration) {
        nanos.addAndGet(duration.toNanos());
      }
    };
  }

  static String attempt() {
    return UUID.randomUUID().toString();
  }

  static ETag write(S3Backend backend, String key, String text) {
    WriteResult result = backend.put(key, Body.of(text), Condition.none(), attempt());
    assertThat(result).isInstanceOf(WriteResult.Written.class);
    return ((WriteResult.Written) result).etag();
  }

  /** The text of an object; empty when there is none. */
  static Optional<String> read(S3Backend backend, String key) {
    if (!(backend.get(key, Optional.empty()) instanceof ReadResult.Found<Content> found)) {
      return Optional.empty();
    }
    try (Content content = found.content()) {
      return Optional.of(new String(content.stream().readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
