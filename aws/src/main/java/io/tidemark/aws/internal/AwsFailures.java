// SPDX-License-Identifier: Apache-2.0
package io.tidemark.aws.internal;

import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;

/**
 * Meaning of a request to AWS that got no answer, and the words for one that did.
 *
 * <p>The question behind every line is whether a write may have been applied. Silence and a broken
 * connection settle nothing, unless the request certainly never left.
 */
public final class AwsFailures {

  /** Whether a request may have changed something by the time it failed. */
  public enum Effect {
    NONE,
    POSSIBLE
  }

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

  private final String service;
  private final Optional<URI> endpoint;

  /**
   * Creates the meaning of failures of one service.
   *
   * @param service name of the service, for messages
   * @param endpoint a server other than that of AWS
   */
  public AwsFailures(String service, Optional<URI> endpoint) {
    this.service = service;
    this.endpoint = endpoint;
  }

  /** Returns the server, for messages. */
  public String server() {
    return endpoint.map(Object::toString).orElse("AWS");
  }

  /** Returns the server's own name for a problem; empty when it gave none, as after a HEAD. */
  public static String code(AwsServiceException e) {
    return Optional.ofNullable(e.awsErrorDetails()).map(AwsErrorDetails::errorCode).orElse("");
  }

  /** Returns what the server answered, on one line. */
  public String said(AwsServiceException e) {
    AwsErrorDetails details = e.awsErrorDetails();
    StringBuilder said = new StringBuilder(service).append(" answered ").append(e.statusCode());
    if (details != null && details.errorCode() != null) {
      said.append(' ').append(details.errorCode());
    }
    if (details != null && details.errorMessage() != null) {
      String message = details.errorMessage();
      said.append(", \"").append(message.lines().findFirst().orElse("")).append('"');
    }
    if (e.requestId() != null) {
      said.append(" (request ").append(e.requestId()).append(')');
    }
    return said.toString();
  }

  /**
   * Returns the meaning of an error whose cause is known: no credentials, an interrupted thread, no
   * connection. Empty for all others.
   *
   * @param what verb and object of the request, as in "read mydb:main"
   */
  public Optional<TidemarkException> explained(String what, Effect effect, RuntimeException e) {
    String problem = "can't " + what + ": ";
    if (find(e, AwsClients.NoCredentialsException.class).isPresent()) {
      return Optional.of(
          new StoreAccessException(
              problem
                  + "no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"
                  + " AWS_PROFILE, or give the machine a role",
              e));
    }
    if (Stream.of(AbortedException.class, InterruptedException.class, CancellationException.class)
        .anyMatch(type -> find(e, type).isPresent())) {
      Thread.currentThread().interrupt(); // should the SDK have taken the flag
      return Optional.of(inDoubt(what, effect, "the thread was interrupted", e));
    }
    if (NOT_CONNECTED.stream().anyMatch(type -> find(e, type).isPresent())) {
      return Optional.of(
          new StoreUnavailableException(
              problem
                  + server()
                  + " can't be reached ("
                  + reason(e)
                  + "); check the endpoint, the region and the network",
              e));
    }
    return Optional.empty();
  }

  /** Returns the meaning of an error that ended the wait for an answer. */
  public TidemarkException unanswered(String what, Effect effect, RuntimeException e) {
    return inDoubt(what, effect, "no answer came from " + server() + " (" + reason(e) + ")", e);
  }

  /** Returns the meaning of a request that the server may have carried out, or not. */
  public static TidemarkException inDoubt(
      String what, Effect effect, String reason, RuntimeException e) {
    if (effect == Effect.POSSIBLE) {
      return new OutcomeUnknownException(
          "the request to "
              + what
              + " may or may not have been carried out: "
              + reason
              + "; read it back before doing it again",
          e);
    }
    return new StoreUnavailableException("can't " + what + ": " + reason, e);
  }

  /** Returns the error at the bottom of a chain; the SDK's own messages say little. */
  public static String reason(Throwable e) {
    Throwable bottom = e;
    while (bottom.getCause() != null) {
      bottom = bottom.getCause();
    }
    return bottom.getClass().getSimpleName() + ": " + bottom.getMessage();
  }

  /** Returns the first error of a type among an error and its causes. */
  public static <T extends Throwable> Optional<T> find(Throwable e, Class<T> type) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return Optional.of(type.cast(t));
      }
    }
    return Optional.empty();
  }
}
