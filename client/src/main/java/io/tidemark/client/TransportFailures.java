// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.tidemark.objects.JsonErrors;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;

/** Failures of requests that got no answer: which of them were certainly never sent. */
final class TransportFailures {

  private static final List<Class<? extends Throwable>> NOT_SENT =
      List.of(
          ConnectException.class,
          HttpConnectTimeoutException.class,
          UnknownHostException.class,
          UnresolvedAddressException.class);

  private TransportFailures() {}

  /** Returns the exception for a request that got no answer. */
  static TidemarkException noResponse(
      ServerRequest serverRequest, ServerLocation server, Throwable e) {
    if (isOf(e, List.of(SSLHandshakeException.class))) {
      return new StoreUnavailableException(
          "the server at %s doesn't prove who it is (%s); if it is an authority of your own that says so, have Java trust it by -Djavax.net.ssl.trustStore=FILE"
              .formatted(server.base(), what(e)),
          e);
    }
    if (isOf(e, NOT_SENT)) {
      return new StoreUnavailableException(
          "can't reach the server at %s (%s); does it run there?".formatted(server.base(), what(e)),
          e);
    }
    return incompleteResponse(serverRequest, e);
  }

  /** Returns the exception for a request whose answer didn't come, or not whole. */
  static TidemarkException incompleteResponse(ServerRequest serverRequest, Throwable e) {
    String problem = "%s: the answer got lost (%s)".formatted(serverRequest, what(e));
    return serverRequest.isReadOnly()
        ? new StoreUnavailableException(problem + "; try again", e)
        : new OutcomeUnknownException(
            problem + "; it may have been done: look before doing it again", e);
  }

  private static boolean isOf(Throwable e, List<Class<? extends Throwable>> types) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      Throwable found = cause;
      if (types.stream().anyMatch(type -> type.isInstance(found))) {
        return true;
      }
    }
    return false;
  }

  private static String what(Throwable e) {
    if (e instanceof JsonProcessingException json) {
      return JsonErrors.reason(json);
    }
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
