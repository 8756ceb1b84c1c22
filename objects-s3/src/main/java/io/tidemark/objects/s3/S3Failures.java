// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

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
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;

/**
 * Says what an error of the SDK means for the caller.
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
final class S3Failures {

  /** The request never reached a server: its cause is one of these. */
  private static final List<Class<? extends Exception>> NOT_CONNECTED =
      List.of(
          ConnectException.class,
          NoRouteToHostException.class,
          UnknownHostException.class,
          ConnectTimeoutException.class,
          ConnectionRequestTimeoutException.class, // no connection of the pool got free
          SSLHandshakeException.class,
          SSLPeerUnverifiedException.class);

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

  S3Failures(S3Settings settings, BucketPresence presence) {
    this.settings = settings;
    this.presence = presence;
  }

  /** The server's own name for a problem; empty when it gave none, as in any answer to a HEAD. */
  static String code(AwsServiceException e) {
    return Optional.ofNullable(e.awsErrorDetails()).map(AwsErrorDetails::errorCode).orElse("");
  }

  /** What any error means. */
  TidemarkException of(S3Call call, RuntimeException e) {
    return e instanceof AwsServiceException answer ? answered(call, answer) : unanswered(call, e);
  }

  private TidemarkException answered(S3Call call, AwsServiceException e) {
    int status = e.statusCode();
    String code = code(e);
    String problem = "can't " + call.what() + ": " + said(e);
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
    return refused ? new StoreFailureException(problem, e) : inDoubt(call, said(e), e);
  }

  private TidemarkException unanswered(S3Call call, RuntimeException e) {
    String problem = "can't " + call.what() + ": ";
    Optional<S3Clients.NoCredentialsException> none =
        find(e, S3Clients.NoCredentialsException.class);
    if (none.isPresent()) {
      return new StoreAccessException(
          problem
              + "no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"
              + " AWS_PROFILE, or give the machine a role",
          e);
    }
    Optional<UploadStream.BodyException> body = find(e, UploadStream.BodyException.class);
    if (body.isPresent()) {
      return new StoreFailureException(
          problem + body.get().getMessage() + "; nothing was written", e);
    }
    if (Stream.of(AbortedException.class, InterruptedException.class, CancellationException.class)
        .anyMatch(type -> find(e, type).isPresent())) {
      Thread.currentThread().interrupt(); // should the SDK have taken the flag
      return inDoubt(call, "the thread was interrupted", e);
    }
    if (NOT_CONNECTED.stream().anyMatch(type -> find(e, type).isPresent())) {
      return new StoreUnavailableException(
          problem
              + server()
              + " can't be reached ("
              + reason(e)
              + "); check the endpoint, the region and the network",
          e);
    }
    if (!call.sent() && !(e instanceof ApiCallAttemptTimeoutException)) {
      return new StoreFailureException(problem + reason(e), e); // the SDK refused to send it
    }
    return inDoubt(call, "no answer came from " + server() + " (" + reason(e) + ")", e);
  }

  /** For when it isn't known whether the request was carried out, and whether that matters. */
  private static TidemarkException inDoubt(S3Call call, String reason, RuntimeException e) {
    if (call.changing() && call.sent()) {
      return new OutcomeUnknownException(
          "the request to "
              + call.what()
              + " may or may not have been carried out: "
              + reason
              + "; read it back before doing it again",
          e);
    }
    return new StoreUnavailableException("can't " + call.what() + ": " + reason, e);
  }

  /** The bucket isn't there; what was there before is gone, and the location was right. */
  TidemarkException noSuchBucket(AwsServiceException e) {
    if (presence.wasSeen()) {
      return new StoreGoneException(
          "the bucket "
              + settings.bucket()
              + " at "
              + server()
              + " was there and is gone; restore it, or open "
              + settings.location()
              + " anew if it is meant to be empty",
          e);
    }
    return new InvalidLocationException(
        "there is no bucket "
            + settings.bucket()
            + " at "
            + server()
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
            + said(e)
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

  private String server() {
    return settings.endpoint().map(Object::toString).orElse("AWS");
  }

  private static String said(AwsServiceException e) {
    AwsErrorDetails details = e.awsErrorDetails();
    StringBuilder said = new StringBuilder("S3 answered ").append(e.statusCode());
    if (details != null && details.errorCode() != null) {
      said.append(' ').append(details.errorCode());
    }
    if (details != null && details.errorMessage() != null) {
      said.append(", \"").append(details.errorMessage()).append('"');
    }
    if (e.requestId() != null) {
      said.append(" (request ").append(e.requestId()).append(')');
    }
    return said.toString();
  }

  /** What lies at the bottom: the SDK's own messages say little. */
  private static String reason(Throwable e) {
    Throwable bottom = e;
    while (bottom.getCause() != null) {
      bottom = bottom.getCause();
    }
    return bottom.getClass().getSimpleName() + ": " + bottom.getMessage();
  }

  private static <T extends Throwable> Optional<T> find(Throwable e, Class<T> type) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return Optional.of(type.cast(t));
      }
    }
    return Optional.empty();
  }
}
