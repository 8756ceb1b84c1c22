// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Sender of requests to one target, at an address that was checked.
 *
 * <p>Java's client resolves hosts itself. The only way to have it connect to a checked address is
 * to put the address in place of the host. The host then has to be set in the header, which Java
 * allows only if a system property says so before its client is first used; this class sets the
 * property if it is in time. The certificate is still that of the host: its name is sent when the
 * connection is made, and checked.
 */
final class WebhookSender {
  private static final String ALLOWED = "jdk.httpclient.allowRestrictedHeaders";

  static {
    String allowed = System.getProperty(ALLOWED, "");
    if (!List.of(allowed.split(",")).contains("host")) {
      System.setProperty(ALLOWED, allowed.isEmpty() ? "host" : allowed + ",host");
    }
  }

  private final WebhookTarget webhookTarget;
  private final WebhookOptions options;
  private final HttpClient client;

  WebhookSender(WebhookTarget webhookTarget, WebhookOptions options, SSLContext tls) {
    this.webhookTarget = webhookTarget;
    this.options = options;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(options.connectTimeout())
            .sslContext(tls);
    if (webhookTarget.isHttps() && !webhookTarget.isLiteral()) {
      SSLParameters parameters = tls.getDefaultSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(webhookTarget.host())));
      builder.sslParameters(parameters);
    }
    this.client = builder.build();
  }

  /** Posts a body; returns the status of the response. */
  int post(URI pinned, Map<String, String> headers, byte[] body) throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(pinned)
            .timeout(options.requestTimeout())
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    if (!webhookTarget.isLiteral()) {
      setHostHeader(request);
    }
    CompletableFuture<HttpResponse<Boolean>> answer =
        client.sendAsync(
            request.build(), DiscardingSubscriber.ofAtMost(options.maxResponseBytes()));
    try {
      // The timeout of a request ends when the response begins, however long that then takes.
      return answer.get(options.requestTimeout().toNanos(), TimeUnit.NANOSECONDS).statusCode();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new WebhookFailedException(
          webhookTarget + " can't be reached: " + problem(cause), cause);
    } catch (TimeoutException e) {
      throw new WebhookFailedException(
          webhookTarget + " took longer than " + said(options.requestTimeout()), e);
    } finally {
      answer.cancel(true);
    }
  }

  private void setHostHeader(HttpRequest.Builder request) {
    try {
      request.header("Host", webhookTarget.authority());
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "Java's HTTP client was used before the first webhook was made, and doesn't let it say"
              + " the host; start Java with -D"
              + ALLOWED
              + "=host",
          e);
    }
  }

  private static String problem(Throwable cause) {
    String kind = cause.getClass().getSimpleName();
    return cause instanceof IOException && cause.getMessage() != null
        ? kind + ", " + cause.getMessage()
        : kind;
  }

  private static String said(Duration duration) {
    return duration.toMillis() + " ms";
  }
}
