// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.aws.internal.AwsFailures;
import io.tidemark.aws.internal.AwsFailures.Effect;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StorageFullException;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoreGoneException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.objects.UploadStream;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;

/**
 * Translator of errors of the SDK to exceptions for the caller.
 *
 * <p>The question behind every line is whether a write may have been applied. An answer that
 * refuses a request settles it: it was not. An error of the server (5xx), silence and a broken
 * connection settle nothing, unless the request certainly never left.
 *
 * <table>
 * <caption>What becomes of what</caption>
 * <tr><th>the SDK reports</th><th>a read ends with</th><th>a write or delete ends with</th></tr>
 * <tr><td>no credentials, 401, 403, an expired token</td><td colspan="2">{@link
 *     StoreAccessException}</td></tr>
 * <tr><td>no such bucket, another region</td><td colspan="2">{@link
 *     InvalidLocationException}</td></tr>
 * <tr><td>no such bucket, where there was one before</td><td colspan="2">{@link
 *     StoreGoneException}</td></tr>
 * <tr><td>409, 429, 503 SlowDown, a body that got lost on its way, clocks too far apart</td><td
 *     colspan="2">{@link StoreUnavailableException}</td></tr>
 * <tr><td>no connection could be made</td><td colspan="2">{@link
 *     StoreUnavailableException}</td></tr>
 * <tr><td>501</td><td colspan="2">{@link UnsupportedStoreException}</td></tr>
 * <tr><td>507, a quota</td><td colspan="2">{@link StorageFullException}</td></tr>
 * <tr><td>any other 5xx, an error in a 200, a timeout, a broken connection, an interrupted thread</td><td>{@link
 *     StoreUnavailableException}</td><td>{@link OutcomeUnknownException}</td></tr>
 * <tr><td>anything else</td><td colspan="2">{@link StoreFailureException}</td></tr>
 * </table>
 *
 * <p>304, 404 and 412 are answers, not errors; {@link S3Backend} has looked at them before.
 */
final class S3ErrorTranslator {

  private static final Set<String> WRONG_REGION =
      Set.of(
          "PermanentRedirect",
          "TemporaryRedirect",
          "AuthorizationHeaderMalformed",
          "IllegalLocationConstraintException");

  private static final Set<String> BAD_TOKEN =
      Set.of("ExpiredToken", "InvalidToken", "TokenRefreshRequired");

  /** Refused with a 4xx because of something that passes. */
  private static final Set<String> PASSING =
      Set.of("RequestTimeout", "IncompleteBody", "BadDigest", "RequestTimeTooSkewed");

  private final S3Settings settings;
  private final BucketPresence presence;
  private final AwsFailures failures;

  S3ErrorTranslator(S3Settings settings, BucketPresence presence) {
    this.settings = settings;
    this.presence = presence;
    this.failures = new AwsFailures("S3", settings.endpoint());
  }

  /** Translates any error. */
  TidemarkException translate(S3Call call, RuntimeException e) {
    return e instanceof AwsServiceException answer ? answered(call, answer) : unanswered(call, e);
  }

  private TidemarkException answered(S3Call call, AwsServiceException e) {
    int status = e.statusCode();
    String code = AwsFailures.code(e);
    String problem = "can't " + call.what() + ": " + failures.said(e);
    if (code.equals("NoSuchBucket")) {
      return noSuchBucket(e);
    }
    if (WRONG_REGION.contains(code) || (status >= 300 && status < 400)) {
      return wrongRegion(e);
    }
    if (PASSING.contains(code) || status == 408 || status == 409 || isThrottled(status, code)) {
      return new StoreUnavailableException(problem + "; nothing was changed, try again", e);
    }
    if (status == 507 || code.endsWith("QuotaExceeded") || code.endsWith("StorageFull")) {
      return new StorageFullException(problem + "; make room or raise the quota", e);
    }
    if (status == 401 || status == 403 || BAD_TOKEN.contains(code)) {
      return denied(problem, e);
    }
    if (status == 501) {
      return new UnsupportedStoreException(problem + "; the server lacks this request", e);
    }
    boolean refused = status >= 400 && status < 500; // an error may also come as a 200
    return refused
        ? new StoreFailureException(problem, e)
        : AwsFailures.inDoubt(call.what(), effect(call), failures.said(e), e);
  }

  private TidemarkException unanswered(S3Call call, RuntimeException e) {
    String problem = "can't " + call.what() + ": ";
    Optional<UploadStream.BodyException> body =
        AwsFailures.find(e, UploadStream.BodyException.class);
    if (body.isPresent()) {
      return new StoreFailureException(
          problem + body.get().getMessage() + "; nothing was written", e);
    }
    Optional<TidemarkException> explained = failures.explained(call.what(), effect(call), e);
    if (explained.isPresent()) {
      return explained.get();
    }
    if (!call.sent() && !(e instanceof ApiCallAttemptTimeoutException)) {
      // The SDK refused to send it.
      return new StoreFailureException(problem + AwsFailures.reason(e), e);
    }
    return failures.unanswered(call.what(), effect(call), e);
  }

  private static Effect effect(S3Call call) {
    return call.changing() && call.sent() ? Effect.POSSIBLE : Effect.NONE;
  }

  /** The bucket isn't there; what was there before is gone, and the location was right. */
  TidemarkException noSuchBucket(AwsServiceException e) {
    if (presence.wasSeen()) {
      return new StoreGoneException(
          "the bucket "
              + settings.bucket()
              + " at "
              + failures.server()
              + " was there and is gone; restore it, or open "
              + settings.location()
              + " anew if it is meant to be empty",
          e);
    }
    return new InvalidLocationException(
        "there is no bucket "
            + settings.bucket()
            + " at "
            + failures.server()
            + "; create it, or correct the location "
            + settings.location(),
        e);
  }

  private InvalidLocationException wrongRegion(AwsServiceException e) {
    String region =
        Optional.ofNullable(e.awsErrorDetails())
            .map(AwsErrorDetails::sdkHttpResponse)
            .flatMap(response -> response.firstMatchingHeader("x-amz-bucket-region"))
            .orElse("the bucket's region");
    return new InvalidLocationException(
        "the bucket "
            + settings.bucket()
            + " is in another region: "
            + failures.said(e)
            + "; write "
            + settings.location()
            + "?region="
            + region,
        e);
  }

  private static StoreAccessException denied(String problem, AwsServiceException e) {
    return new StoreAccessException(
        problem
            + "; check the credentials and that they allow s3:GetObject, s3:PutObject,"
            + " s3:DeleteObject on the objects and s3:ListBucket on the bucket (without the latter"
            + " S3 denies access to objects that aren't there)",
        e);
  }

  private static boolean isThrottled(int status, String code) {
    return status == 429 || (status == 503 && code.startsWith("SlowDown"));
  }
}
