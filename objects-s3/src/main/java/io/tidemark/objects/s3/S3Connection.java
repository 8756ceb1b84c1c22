// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.ETag;
import io.tidemark.objects.InvalidKeyException;
import io.tidemark.objects.ObjectKeys;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.TidemarkException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Connection that every request needs: the client, and the mapping of the store's keys to the
 * bucket.
 *
 * @param client sends requests
 * @param settings settings of the bucket
 * @param failures explains what goes wrong
 */
record S3Connection(S3Client client, S3Settings settings, S3ErrorTranslator failures) {

  /** A body may come as slowly as this without being given up; also four parts at a time. */
  private static final long SLOWEST_BYTES_PER_SECOND = 32 << 10;

  String bucket() {
    return settings.bucket();
  }

  /** Returns the prefix of this store's keys in the bucket. */
  String keyPrefix() {
    return settings.prefix().isEmpty() ? "" : settings.prefix() + "/";
  }

  /** Returns a key as the bucket has it. */
  String fullKey(String key) {
    String full = keyPrefix() + key;
    if (!isWithinKeyLimit(full)) {
      throw new InvalidKeyException(
          key,
          "is too long: with the prefix of "
              + settings.location()
              + " it has more than "
              + ObjectKeys.MAX_BYTES
              + " bytes; shorten either");
    }
    return full;
  }

  /** Returns whether S3 takes a name of this length. */
  static boolean isWithinKeyLimit(String full) {
    return full.getBytes(StandardCharsets.UTF_8).length <= ObjectKeys.MAX_BYTES;
  }

  /** Returns a key as a person would write it. */
  String describe(String key) {
    return settings.location() + "/" + key;
  }

  /** Returns how long a request may take that carries so many bytes. */
  Duration timeout(long bytes) {
    return settings.requestTimeout().plusSeconds(bytes / SLOWEST_BYTES_PER_SECOND);
  }

  /**
   * Returns a field of an answer that S3 always sends; fails if it is missing, since a guess would
   * mislead later readers.
   */
  <T> T required(S3Call call, @Nullable T value, String name) {
    if (value == null) {
      throw new StoreFailureException(
          "can't " + call.what() + ": the server sent no " + name + ", as S3 does");
    }
    return value;
  }

  /** Returns the version that an answer names; a write without one is as good as unanswered. */
  ETag etag(S3Call call, @Nullable String value) {
    if (value == null || value.isBlank()) {
      String problem = "can't " + call.what() + ": the server sent no ETag, as S3 does";
      throw call.changing()
          ? new OutcomeUnknownException(problem + "; read it back")
          : new StoreFailureException(problem);
    }
    // A proxy that packs bodies makes it weak; the server knows only the strong one.
    return new ETag(value.startsWith("W/") ? value.substring(2) : value);
  }

  /** Returns the exception that an error means for the caller. */
  TidemarkException failure(S3Call call, RuntimeException e) {
    return failures.translate(call, e);
  }
}
