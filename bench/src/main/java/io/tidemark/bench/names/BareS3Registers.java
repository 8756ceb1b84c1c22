// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Objects, each move one {@code PUT} with If-Match of the bare client: the floor. */
final class BareS3Registers implements Registers<String> {

  private static final int PRECONDITION_FAILED = 412;

  private final S3Client client;
  private final String bucket;
  private final String padding;

  /** On S3, equal bytes have equal ETags, so that no two bodies may be the same. */
  private final AtomicLong written = new AtomicLong();

  /**
   * Objects in a bucket.
   *
   * @param length how long each is, about
   */
  BareS3Registers(S3Client client, String bucket, int length) {
    this.client = client;
    this.bucket = bucket;
    this.padding = " ".repeat(length);
  }

  @Override
  public String create(int register) {
    return client.putObject(r -> r.bucket(bucket).key(key(register)), body()).eTag();
  }

  @Override
  public String read(int register) {
    return client.getObjectAsBytes(r -> r.bucket(bucket).key(key(register))).response().eTag();
  }

  @Override
  public Move<String> move(int register, String from) {
    try {
      return new Move<>(
          client.putObject(r -> r.bucket(bucket).key(key(register)).ifMatch(from), body()).eTag(),
          true);
    } catch (S3Exception e) {
      if (e.statusCode() != PRECONDITION_FAILED) {
        throw e;
      }
      return new Move<>(read(register), false);
    }
  }

  private RequestBody body() {
    return RequestBody.fromBytes((written.incrementAndGet() + padding).getBytes(UTF_8));
  }

  private static String key(int register) {
    return "bare/" + register + ".json";
  }

  @Override
  public void close() {
    client.close();
  }
}
