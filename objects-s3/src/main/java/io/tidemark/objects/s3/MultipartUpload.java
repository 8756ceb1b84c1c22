// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.aws.internal.AwsFailures;
import io.tidemark.objects.Body;
import io.tidemark.objects.ETag;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UploadStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * Upload of one large object in parts, several at a time.
 *
 * <p>The calling thread reads the body once and in order; each part is held in memory while it is
 * sent. Nothing can be seen of the object before the last request, which completes it, so an
 * earlier failure changes nothing. The upload is then aborted, once none of its parts is under way
 * any more, so that the bucket isn't charged for unused parts. A process that is killed can't do
 * that, nor one that never learned the id of an upload; a lifecycle rule of the bucket (abort
 * incomplete multipart uploads) can.
 */
final class MultipartUpload {

  private static final Logger LOG = LoggerFactory.getLogger(MultipartUpload.class);
  private static final int MOST_PARTS = 10_000;

  private final S3Connection s3;
  private final String key;
  private final String fullKey;
  private final String upload;
  private final Semaphore free;
  private volatile boolean failed;

  private MultipartUpload(S3Connection s3, String key, String upload) {
    this.s3 = s3;
    this.key = key;
    this.fullKey = s3.fullKey(key);
    this.upload = upload;
    this.free = new Semaphore(s3.settings().multipart().parallel());
  }

  /** Sends a body; returns the version that was written. */
  static ETag send(S3Connection s3, String key, Body body, Map<String, String> metadata) {
    MultipartUpload upload = new MultipartUpload(s3, key, create(s3, key, metadata));
    try {
      return upload.complete(upload.sendParts(body));
    } catch (RuntimeException e) {
      upload.abort();
      throw e;
    }
  }

  private static String create(S3Connection s3, String key, Map<String, String> metadata) {
    S3Call call = S3Call.reading("write " + s3.describe(key));
    try {
      return s3.client()
          .createMultipartUpload(
              r ->
                  r.bucket(s3.bucket())
                      .key(s3.fullKey(key))
                      .metadata(metadata)
                      .overrideConfiguration(call.requestConfiguration(s3.timeout(0))))
          .uploadId();
    } catch (RuntimeException e) {
      throw s3.failure(call, e);
    }
  }

  private List<CompletedPart> sendParts(Body body) {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            s3.settings().multipart().parallel(),
            task -> {
              Thread thread = new Thread(task, "tidemark-s3-part");
              thread.setDaemon(true);
              return thread;
            });
    try (InputStream stream = UploadStream.open(body)) {
      List<Future<CompletedPart>> parts = new ArrayList<>();
      int partSize = partSize(body.length());
      for (long left = body.length(); left > 0 && !failed; left -= partSize) {
        free.acquire();
        byte[] bytes = stream.readNBytes((int) Math.min(left, partSize));
        int number = parts.size() + 1;
        parts.add(threads.submit(() -> sendPart(number, bytes)));
      }
      return results(parts);
    } catch (IOException e) {
      throw s3.failure(partCall(), new UncheckedIOException(e));
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException(
          "can't " + partCall().what() + ": the thread was interrupted", e);
    } finally {
      finish(threads);
    }
  }

  private CompletedPart sendPart(int number, byte[] bytes) {
    S3Call call = partCall();
    try {
      String etag =
          s3.client()
              .uploadPart(
                  r ->
                      r.bucket(s3.bucket())
                          .key(fullKey)
                          .uploadId(upload)
                          .partNumber(number)
                          .overrideConfiguration(
                              call.requestConfiguration(s3.timeout(bytes.length))),
                  UploadSource.requestBody(bytes))
              .eTag();
      return CompletedPart.builder().partNumber(number).eTag(etag).build();
    } catch (RuntimeException e) {
      failed = true;
      throw s3.failure(call, e);
    } finally {
      free.release();
    }
  }

  private ETag complete(List<CompletedPart> parts) {
    S3Call call = S3Call.changing("write " + s3.describe(key));
    try {
      // The server copies the parts together and may take minutes, sending a blank now and then.
      String etag =
          s3.client()
              .completeMultipartUpload(
                  r ->
                      r.bucket(s3.bucket())
                          .key(fullKey)
                          .uploadId(upload)
                          .multipartUpload(m -> m.parts(parts))
                          .overrideConfiguration(call.unlimitedRequestConfiguration()))
              .eTag();
      return s3.etag(call, etag);
    } catch (AwsServiceException e) {
      if (AwsFailures.code(e).equals("NoSuchUpload")) {
        throw new OutcomeUnknownException(
            "the upload to "
                + s3.describe(key)
                + " is gone: it was completed by a repeated request, or aborted by somebody else;"
                + " read it back before doing it again",
            e);
      }
      throw s3.failure(call, e);
    } catch (RuntimeException e) {
      throw s3.failure(call, e);
    }
  }

  /** Aborting what was completed after all does nothing, so it is right in every case. */
  private void abort() {
    boolean interrupted = Thread.interrupted(); // or the SDK would refuse to send anything
    S3Call call = S3Call.reading("clean up after " + s3.describe(key));
    try {
      s3.client()
          .abortMultipartUpload(
              r ->
                  r.bucket(s3.bucket())
                      .key(fullKey)
                      .uploadId(upload)
                      .overrideConfiguration(call.requestConfiguration(s3.timeout(0))));
    } catch (RuntimeException e) {
      LOG.warn(
          "the upload {} of {} could not be aborted; its parts stay until the bucket's lifecycle"
              + " removes them",
          upload,
          s3.describe(key),
          e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Not a change: a part alone can't be seen by anybody. */
  private S3Call partCall() {
    return S3Call.reading("write " + s3.describe(key));
  }

  private int partSize(long length) {
    long needed = (length + MOST_PARTS - 1) / MOST_PARTS;
    return (int) Math.max(s3.settings().multipart().partSize(), needed);
  }

  private static List<CompletedPart> results(List<Future<CompletedPart>> parts)
      throws InterruptedException {
    List<CompletedPart> results = new ArrayList<>();
    for (Future<CompletedPart> part : parts) {
      try {
        results.add(part.get());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof TidemarkException known
            ? known
            : new IllegalStateException(e.getCause());
      }
    }
    return results;
  }

  private static void finish(ExecutorService threads) {
    threads.shutdown();
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
