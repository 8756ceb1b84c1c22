// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.InvalidKeyException;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.ObjectKeys;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * Where a store on S3 is and how to talk to it.
 *
 * <p>Credentials are not part of a location: they come from the SDK's default chain (environment,
 * profile, container, instance) unless a provider is given in code.
 *
 * @param bucket the bucket, which must exist
 * @param prefix prefix of all keys, without a {@code /} at either end; empty for the bucket's root
 * @param region the bucket's region; when empty, the SDK's chain is asked
 * @param endpoint another server than AWS
 * @param addressing where the bucket's name goes in a request; when empty, into the path if an
 *     endpoint is given, else into the host
 * @param access purpose for which the store is opened
 * @param requestTimeout how long a request may stay without an answer, and a connection without a
 *     byte
 * @param multipart how large objects are sent
 * @param maxConnections how many requests may be under way at once
 * @param credentials source of credentials; when empty, the SDK's default chain is asked
 */
@RecordBuilder
@RecordBuilder.Options(
    addConcreteSettersForOptional = RecordBuilder.ConcreteSettersForOptionalMode.ENABLED)
public record S3Settings(
    String bucket,
    String prefix,
    Optional<String> region,
    Optional<URI> endpoint,
    Optional<Addressing> addressing,
    Access access,
    Duration requestTimeout,
    Multipart multipart,
    int maxConnections,
    Optional<AwsCredentialsProvider> credentials)
    implements S3SettingsBuilder.With {

  /** Style in which a request names its bucket. */
  public enum Addressing {
    /** {@code https://server/bucket/key}, which most servers other than AWS want. */
    PATH,
    /** {@code https://bucket.server/key}, which AWS wants. */
    VIRTUAL_HOST
  }

  /** Purpose for which a store is opened. */
  public enum Access {
    /** Opening checks, by writing a small object, that the store honours conditions. */
    READ_WRITE,
    /** Opening sends no request, and writes are refused; fit for credentials that may only read. */
    READ_ONLY
  }

  /**
   * Settings for sending large objects. Each upload holds up to {@code parallel} parts in memory.
   *
   * @param threshold an unconditional write of more bytes than this is sent in parts
   * @param partSize how large a part is, at least 5 MiB; parts grow when there would be more than
   *     10,000 of them
   * @param parallel how many parts are under way at once
   */
  public record Multipart(long threshold, int partSize, int parallel) {
    public static final int SMALLEST_PART = 5 << 20;

    public Multipart {
      if (threshold < 0 || partSize < SMALLEST_PART || parallel < 1) {
        throw new IllegalArgumentException(
            "a multipart upload needs a threshold of 0 or more, parts of at least 5 MiB and one"
                + " part at a time or more, not "
                + threshold
                + ", "
                + partSize
                + " and "
                + parallel);
      }
    }

    /** From 64 MiB on, in parts of 16 MiB, four at a time. */
    public static Multipart standard() {
      return new Multipart(64L << 20, 16 << 20, 4);
    }
  }

  // What AWS allows and what other servers add to it (capitals, underscores).
  private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");

  public S3Settings {
    if (!BUCKET.matcher(bucket).matches()) {
      throw new InvalidLocationException(
          "\"" + bucket + "\" can't be the name of a bucket; write s3://bucket/prefix");
    }
    if (bucket.endsWith("--x-s3")) {
      throw new InvalidLocationException(
          "s3://"
              + bucket
              + " is a directory bucket, which lists keys in no order; use a general purpose"
              + " bucket");
    }
    prefix = withoutSlashes(bucket, prefix);
    if (requestTimeout.isNegative() || requestTimeout.isZero()) {
      throw new InvalidLocationException(
          "the request timeout of s3://" + bucket + " must be longer than nothing, as in 10s");
    }
    if (maxConnections < 1) {
      throw new IllegalArgumentException("at least one connection is needed");
    }
  }

  /**
   * Reads a location.
   *
   * @param location {@code
   *     s3://bucket/prefix?region=…&endpoint=…&path-style=true&request-timeout=10s&max-requests=64&access=read-only},
   *     where everything after the bucket may be left out
   * @throws InvalidLocationException when it can't be meant; the message says what to write
   */
  public static S3Settings parse(String location) {
    return S3LocationParser.parse(location);
  }

  /** See {@link #parse(String)}. */
  public static S3Settings parse(URI location) {
    return S3LocationParser.parse(location);
  }

  /** Starts settings for a bucket; what isn't set has the defaults of a plain location. */
  public static S3SettingsBuilder builder(String bucket) {
    return new S3Settings(
            bucket,
            "",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Access.READ_WRITE,
            Duration.ofSeconds(10),
            Multipart.standard(),
            64,
            Optional.empty())
        .with();
  }

  /** Returns whether requests name the bucket in their path. */
  boolean isByPath() {
    return addressing.map(Addressing.PATH::equals).orElse(endpoint.isPresent());
  }

  /** Returns the place, as a person would write it. */
  public String location() {
    return prefix.isEmpty() ? "s3://" + bucket : "s3://" + bucket + "/" + prefix;
  }

  /**
   * Returns the place alone: what a provider of credentials says of itself doesn't belong into
   * logs.
   */
  @Override
  public String toString() {
    return location();
  }

  private static String withoutSlashes(String bucket, String prefix) {
    int from = prefix.startsWith("/") ? 1 : 0;
    int to = prefix.length() > from && prefix.endsWith("/") ? prefix.length() - 1 : prefix.length();
    String bare = prefix.substring(from, to);
    try {
      return bare.isEmpty() ? bare : ObjectKeys.check(bare);
    } catch (InvalidKeyException e) {
      throw new InvalidLocationException(
          "s3://" + bucket + " can't be used with this prefix: " + e.getMessage(), e);
    }
  }
}
