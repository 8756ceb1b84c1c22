// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import java.time.Duration;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;

/**
 * One request: what it is for, whether it changes anything, and whether it has left.
 *
 * <p>The last two decide what an error means: a request that changes something and has left without
 * an answer may have been carried out.
 */
final class S3Call {

  /** Under which {@link S3RequestInterceptor} finds the call of a request. */
  static final ExecutionAttribute<S3Call> ATTRIBUTE = new ExecutionAttribute<>("TidemarkS3Call");

  /** The name of the metadata that says which attempt wrote an object. */
  static final String ATTEMPT = "tidemark-attempt";

  private static final String ATTEMPT_HEADER = "x-amz-meta-" + ATTEMPT;

  private final String what;
  private final boolean changing;
  private volatile boolean sent;

  private S3Call(String what, boolean changing) {
    this.what = what;
    this.changing = changing;
  }

  /**
   * Returns a request that leaves every object as it is.
   *
   * @param what verb and object, as in "read s3://bucket/key"
   */
  static S3Call reading(String what) {
    return new S3Call(what, false);
  }

  /** Returns a request that writes or deletes an object. */
  static S3Call changing(String what) {
    return new S3Call(what, true);
  }

  String what() {
    return what;
  }

  boolean changing() {
    return changing;
  }

  boolean sent() {
    return sent;
  }

  void markSent() {
    sent = true;
  }

  /** Returns the SDK's settings for a request. */
  AwsRequestOverrideConfiguration requestConfiguration(Duration timeout) {
    return AwsRequestOverrideConfiguration.builder()
        .putExecutionAttribute(ATTRIBUTE, this)
        .apiCallAttemptTimeout(timeout)
        .build();
  }

  /**
   * Returns the SDK's settings for a write.
   *
   * @param attempt kept in the object's metadata. As a header of its own, because the SDK copies
   *     and compares the whole request when it is given metadata
   */
  AwsRequestOverrideConfiguration requestConfiguration(Duration timeout, String attempt) {
    return AwsRequestOverrideConfiguration.builder()
        .putExecutionAttribute(ATTRIBUTE, this)
        .apiCallAttemptTimeout(timeout)
        .putHeader(ATTEMPT_HEADER, attempt)
        .build();
  }

  /**
   * Returns the SDK's settings for a request without a time limit while its connection isn't
   * silent.
   */
  AwsRequestOverrideConfiguration unlimitedRequestConfiguration() {
    return AwsRequestOverrideConfiguration.builder().putExecutionAttribute(ATTRIBUTE, this).build();
  }
}
