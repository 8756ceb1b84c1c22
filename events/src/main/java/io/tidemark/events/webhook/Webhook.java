// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.events.run.EventContext;
import io.tidemark.events.run.Handler;
import io.tidemark.events.run.PermanentFailureException;
import io.tidemark.events.store.EventJson;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * Handler that posts each event, as the JSON that is stored, to an HTTP address.
 *
 * <p>The headers are {@value WebhookSignature#HEADER} and {@value
 * WebhookSignature#TIMESTAMP_HEADER}, see {@link WebhookSignature}; {@code Idempotency-Key}, which
 * is the same each time that the event is sent; {@code Tidemark-Attempt}, from 1; and {@code
 * Tidemark-Event-Type}.
 *
 * <table>
 *   <caption>Outcome by response</caption>
 *   <tr><td>2xx</td><td>it is handled</td></tr>
 *   <tr><td>410</td><td>it is given up at once: the receiver is gone</td></tr>
 *   <tr><td>400, 405, 406, 411, 413, 414, 415, 417, 421, 422, 431, 505</td><td>it is given up at
 *       once: the receiver rejects this request, and a retry would be the same</td></tr>
 *   <tr><td>any other, a redirect too, which isn't followed; no answer in time; an address that
 *       can't be reached or isn't allowed</td><td>it is sent again after a backoff, and given up
 *       after too many attempts. So a receiver may be repaired or set up, also while it answers
 *       401, 403 or 404</td></tr>
 * </table>
 */
public final class Webhook implements Handler {
  private static final Set<Integer> NEVER_TAKEN =
      Set.of(400, 405, 406, 410, 411, 413, 414, 415, 417, 421, 422, 431, 505);

  private final WebhookTarget webhookTarget;
  private final WebhookSecret webhookSecret;
  private final Clock clock;
  private final WebhookSender webhookSender;

  Webhook(
      WebhookTarget webhookTarget,
      WebhookSecret webhookSecret,
      WebhookOptions options,
      Environment environment) {
    this.webhookTarget = webhookTarget;
    this.webhookSecret = webhookSecret;
    this.clock = environment.clock();
    this.webhookSender = new WebhookSender(webhookTarget, options, environment.tls());
    if (webhookTarget.isLiteral()) {
      URI unused = webhookTarget.pinned(1); // fails at once if it is never to be allowed
    }
  }

  /**
   * Environment of a webhook.
   *
   * @param tls TLS context of its own: resumed connections aren't checked again, and a context
   *     tells connections apart by their addresses, which two hosts may share
   */
  record Environment(Clock clock, SSLContext tls) {}

  /**
   * Creates a webhook.
   *
   * @param uri address of http or https; logs and errors show only its host
   * @param webhookSecret secret shared with the receiver
   * @throws RefusedTargetException when events can't be sent there
   */
  public static Webhook to(URI uri, WebhookSecret webhookSecret, WebhookOptions options) {
    WebhookTarget webhookTarget =
        new WebhookTarget(uri, options.addresses(), HostResolver.system());
    return new Webhook(
        webhookTarget, webhookSecret, options, new Environment(Clock.systemUTC(), newTls()));
  }

  static SSLContext newTls() {
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, null, null);
      return tls;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has TLS", e);
    }
  }

  @Override
  public void handle(EventContext eventContext) throws InterruptedException {
    byte[] body = CanonicalJson.write(EventJson.write(eventContext.event())).getBytes(UTF_8);
    String timestamp = Long.toString(clock.instant().getEpochSecond());
    Map<String, String> headers =
        Map.of(
            "Content-Type",
            "application/json",
            "Idempotency-Key",
            eventContext.idempotencyKey(),
            "Tidemark-Attempt",
            Integer.toString(eventContext.attempt()),
            "Tidemark-Event-Type",
            eventContext.event().type(),
            WebhookSignature.TIMESTAMP_HEADER,
            timestamp,
            WebhookSignature.HEADER,
            WebhookSignature.sign(webhookSecret, timestamp, body));
    requireSuccess(webhookSender.post(webhookTarget.pinned(eventContext.attempt()), headers, body));
  }

  private void requireSuccess(int status) {
    if (status >= 200 && status < 300) {
      return;
    }
    String answer = webhookTarget + " has answered " + status;
    if (NEVER_TAKEN.contains(status)) {
      throw new PermanentFailureException(answer);
    }
    throw new WebhookFailedException(
        status >= 300 && status < 400 ? answer + "; redirects aren't followed" : answer, null);
  }

  /** Returns the target, without what may be secret. */
  @Override
  public String toString() {
    return "a webhook to " + webhookTarget;
  }
}
