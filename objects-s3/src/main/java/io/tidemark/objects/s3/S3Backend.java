// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.aws.internal.AwsFailures;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.DeleteResult.Deleted;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.Retry;
import io.tidemark.objects.ServerClock;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.WriteResult.Written;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/**
 * Backend that keeps objects in an S3 bucket.
 *
 * <p>A call is one request, sent once. There are three exceptions: a write above the {@link
 * S3Settings.Multipart#threshold() threshold} goes in parts if it is unconditional; a write or
 * delete whose condition didn't hold is followed by one look at what is there; and a look at an
 * absent object is followed by a look at the bucket if that hasn't answered for a while.
 *
 * <p>The attempt of a write is kept in the object's metadata as {@code tidemark-attempt}. A write
 * is refused with 412 also when it was applied and an intermediary (a proxy, a load balancer) sent
 * it a second time, so the look at what is there asks for the attempt as well.
 *
 * <p>A conditional write is always one PUT, whatever its size up to S3's 5 GiB, because conditions
 * on the completion of a multipart upload aren't honoured everywhere.
 *
 * <p>Keys starting with {@code .tidemark-probe/} are left out of listings; see {@link S3Probe}.
 */
public final class S3Backend implements ObjectBackend {

  /** Resolution of the dates in answers. */
  private static final Duration RESOLUTION = Duration.ofSeconds(1);

  private static final long LARGEST_PUT = 5L << 30;
  private static final long LARGEST_OBJECT = 5L << 40;

  private final S3Connection s3;
  private final ServerClock clock;
  private final boolean conditionalDelete;
  private final BucketPresence presence;
  private volatile boolean closed;

  private S3Backend(
      S3Connection s3, ServerClock clock, BucketPresence presence, boolean conditionalDelete) {
    this.s3 = s3;
    this.clock = clock;
    this.presence = presence;
    this.conditionalDelete = conditionalDelete;
  }

  /**
   * Opens a store.
   *
   * @throws io.tidemark.objects.InvalidLocationException when there is no such bucket, or it is in
   *     another region
   * @throws StoreAccessException when it may not be used
   * @throws UnsupportedStoreException when the server ignores conditions on writes
   */
  public static S3Backend open(S3Settings settings) {
    return open(settings, Clock.systemUTC(), Retry.standard());
  }

  static S3Backend open(S3Settings settings, Clock local, Retry retry) {
    return open(settings, local, retry, MonotonicTime.system());
  }

  static S3Backend open(S3Settings settings, Clock local, Retry retry, MonotonicTime time) {
    ServerClock clock = new ServerClock(local, RESOLUTION);
    BucketPresence presence = new BucketPresence(time);
    S3Connection s3 =
        new S3Connection(
            S3Clients.create(settings, clock), settings, new S3ErrorTranslator(settings, presence));
    if (settings.access() == S3Settings.Access.READ_ONLY) {
      return new S3Backend(s3, clock, presence, false);
    }
    try {
      S3Backend probed = new S3Backend(s3, clock, presence, true);
      return new S3Backend(s3, clock, presence, S3Probe.conditionalDelete(probed, retry));
    } catch (RuntimeException e) {
      s3.client().close();
      throw e;
    }
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    requireOpen();
    S3Call call = S3Call.reading("read " + s3.describe(key));
    GetObjectRequest.Builder request =
        GetObjectRequest.builder()
            .bucket(s3.bucket())
            .key(s3.fullKey(key))
            .overrideConfiguration(call.requestConfiguration(s3.timeout(0)));
    known.ifPresent(etag -> request.ifNoneMatch(quoted(etag)));
    ResponseInputStream<GetObjectResponse> response;
    try {
      // Without the zero the SDK aborts a stream that isn't read from for a minute; this one ends
      // when the caller closes it.
      response =
          s3.client().getObject(request.build(), ResponseTransformer.toInputStream(Duration.ZERO));
    } catch (AwsServiceException e) {
      if (e.statusCode() == 304) {
        return new ReadResult.NotModified<>();
      }
      if (isAbsentKey(e)) {
        presence.recordSeen();
        return new ReadResult.Absent<>();
      }
      throw s3.failure(call, e);
    } catch (RuntimeException e) {
      throw s3.failure(call, e);
    }
    return found(key, call, response);
  }

  private ReadResult<Content> found(
      String key, S3Call call, ResponseInputStream<GetObjectResponse> response) {
    try {
      ETag etag = s3.etag(call, response.response().eTag());
      long size = s3.required(call, response.response().contentLength(), "Content-Length");
      presence.recordSeen();
      S3DownloadStream stream = new S3DownloadStream(response, s3.describe(key), size);
      return new ReadResult.Found<>(etag, new Content(size, stream));
    } catch (StoreFailureException e) {
      response.abort();
      throw e;
    }
  }

  @Override
  public Optional<Head> head(String key) {
    requireOpen();
    S3Call call = S3Call.reading("look at " + s3.describe(key));
    HeadObjectResponse response;
    try {
      response =
          s3.client()
              .headObject(
                  r ->
                      r.bucket(s3.bucket())
                          .key(s3.fullKey(key))
                          .overrideConfiguration(call.requestConfiguration(s3.timeout(0))));
    } catch (AwsServiceException e) {
      if (e.statusCode() == 404) {
        requireBucket();
        return Optional.empty();
      }
      throw s3.failure(call, e);
    } catch (RuntimeException e) {
      throw s3.failure(call, e);
    }
    presence.recordSeen();
    return Optional.of(
        new Head(
            s3.etag(call, response.eTag()),
            s3.required(call, response.contentLength(), "Content-Length"),
            s3.required(call, response.lastModified(), "Last-Modified"),
            Optional.ofNullable(response.metadata().get(S3Call.ATTEMPT))));
  }

  /** Tells a missing bucket from a missing object, which look the same to a HEAD. */
  private void requireBucket() {
    if (presence.isRecent()) {
      return;
    }
    S3Call call = S3Call.reading("look at the bucket " + s3.bucket());
    try {
      s3.client()
          .headBucket(
              r ->
                  r.bucket(s3.bucket())
                      .overrideConfiguration(call.requestConfiguration(s3.timeout(0))));
    } catch (AwsServiceException e) {
      if (e.statusCode() == 404) {
        throw s3.failures().noSuchBucket(e);
      }
      if (e.statusCode() != 403) { // a bucket that may not be looked at is there
        throw s3.failure(call, e);
      }
    } catch (RuntimeException e) {
      throw s3.failure(call, e);
    }
    presence.recordSeen();
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    boolean conditional = condition != Condition.none();
    if (!conditional && body.length() > s3.settings().multipart().threshold()) {
      requireWritable(key);
      requireLength(key, body, LARGEST_OBJECT, "cut it into several objects");
      return new Written(MultipartUpload.send(s3, key, body, Map.of(S3Call.ATTEMPT, attempt)));
    }
    return tryPut(key, body, condition, attempt)
        .orElseGet(
            () -> {
              Optional<Head> current = head(key);
              boolean ours = current.flatMap(Head::attempt).equals(Optional.of(attempt));
              return ours
                  ? new Written(current.orElseThrow().etag())
                  : new PreconditionFailed(current.map(Head::etag));
            });
  }

  /** Sends a PUT; empty when it was refused with 412, which doesn't say what is there. */
  Optional<WriteResult> tryPut(String key, Body body, Condition condition, String attempt) {
    requireWritable(key);
    requireLength(key, body, LARGEST_PUT, "write it unconditionally under a key of its own");
    S3Call call = S3Call.changing("write " + s3.describe(key));
    PutObjectRequest.Builder request =
        PutObjectRequest.builder()
            .bucket(s3.bucket())
            .key(s3.fullKey(key))
            .overrideConfiguration(call.requestConfiguration(s3.timeout(body.length()), attempt));
    if (condition instanceof Condition.IfMatch match) {
      request.ifMatch(quoted(match.expected()));
    } else if (condition instanceof Condition.IfAbsent) {
      request.ifNoneMatch("*");
    }
    String etag;
    try (UploadSource source = UploadSource.of(body)) {
      etag = s3.client().putObject(request.build(), source.requestBody()).eTag();
    } catch (AwsServiceException e) {
      if (e.statusCode() == 412 && condition != Condition.none()) {
        return Optional.empty();
      }
      if (condition instanceof Condition.IfMatch && isAbsentKey(e)) {
        return Optional.of(new PreconditionFailed(Optional.empty()));
      }
      throw s3.failure(call, e);
    } catch (RuntimeException e) {
      throw s3.failure(call, e);
    }
    presence.recordSeen();
    return Optional.of(new Written(s3.etag(call, etag)));
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    return tryDelete(key, expected)
        .orElseGet(() -> new PreconditionFailed(head(key).map(Head::etag)));
  }

  /** Sends a DELETE; empty when it was refused with 412, which doesn't say what is there. */
  Optional<DeleteResult> tryDelete(String key, Optional<ETag> expected) {
    requireWritable(key);
    if (expected.isPresent() && !conditionalDelete) {
      throw new UnsupportedStoreException(
          "can't delete one version of "
              + s3.describe(key)
              + ": the server takes no condition on a delete; mark the object as ended by a"
              + " conditional write, and delete it once nobody can want it");
    }
    S3Call call = S3Call.changing("delete " + s3.describe(key));
    DeleteObjectRequest.Builder request =
        DeleteObjectRequest.builder()
            .bucket(s3.bucket())
            .key(s3.fullKey(key))
            .overrideConfiguration(call.requestConfiguration(s3.timeout(0)));
    expected.ifPresent(etag -> request.ifMatch(quoted(etag)));
    try {
      s3.client().deleteObject(request.build());
      return Optional.of(Deleted.DELETED);
    } catch (AwsServiceException e) {
      if (e.statusCode() == 412 && expected.isPresent()) {
        return Optional.empty();
      }
      if (isAbsentKey(e)) {
        return Optional.of(
            expected.isPresent() ? new PreconditionFailed(Optional.empty()) : Deleted.DELETED);
      }
      throw s3.failure(call, e);
    } catch (RuntimeException e) {
      throw s3.failure(call, e);
    }
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    requireOpen();
    return S3Listing.stream(s3, listing);
  }

  /** Returns whether there is any object: a bucket says nothing else of a store in it. */
  @Override
  public boolean exists() {
    try (Stream<Listing.Entry> objects = list(Listing.children(""))) {
      return objects.findFirst().isPresent();
    }
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(s3.settings().location(), conditionalDelete);
  }

  /** Returns the server's clock, estimated from its answers to within about a second. */
  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public void close() {
    closed = true;
    s3.client().close();
  }

  @Override
  public String toString() {
    return s3.settings().location();
  }

  private void requireOpen() {
    if (closed) {
      throw new StoreFailureException(this + " has been closed; open it again");
    }
  }

  private void requireWritable(String key) {
    requireOpen();
    if (s3.settings().access() == S3Settings.Access.READ_ONLY) {
      throw new StoreAccessException(
          "can't change "
              + s3.describe(key)
              + ": the store was opened for reading; open it without access=read-only");
    }
  }

  private void requireLength(String key, Body body, long largest, String remedy) {
    if (body.length() > largest) {
      throw new StoreFailureException(
          s3.describe(key)
              + " would have "
              + body.length()
              + " bytes, S3 takes at most "
              + largest
              + " in this way; "
              + remedy);
    }
  }

  /** AWS wants the quotes of HTTP; servers that want none don't pass the probe. */
  private static String quoted(ETag etag) {
    return "\"" + etag.value() + "\"";
  }

  private static boolean isAbsentKey(AwsServiceException e) {
    return e.statusCode() == 404 && !AwsFailures.code(e).equals("NoSuchBucket");
  }
}
