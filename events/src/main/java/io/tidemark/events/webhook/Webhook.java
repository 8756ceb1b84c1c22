// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.events.run.Context;
import io.tidemark.events.run.GiveUpException;
import io.tidemark.events.run.Handler;
import io.tidemark.events.store.EventJson;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * A handler that posts each event, as the JSON that is stored, to an address of HTTP.
 *
 * <p>The headers are {@value Signature#HEADER} and {@value Signature#TIMESTAMP_HEADER}, see {@link
 * Signature}; {@code Idempotency-Key}, which is the same each time that the event is sent; {@code
 * Tidemark-Attempt}, from 1; and {@code Tidemark-Event-Type}.
 *
 * <table>
 *   <caption>What becomes of the event</caption>
 *   <tr><td>2xx</td><td>it is handled</td></tr>
 *   <tr><td>410</td><td>it is given up at once: nobody is there any more</td></tr>
 *   <tr><td>400, 405, 406, 411, 413, 414, 415, 417, 421, 422, 431, 505</td><td>it is given up at
 *       once: this very request isn't taken, and the next would be the same</td></tr>
 *   <tr><td>any other, a redirect too, which isn't followed; no answer in time; an address that
 *       can't be reached or isn't allowed</td><td>it is sent again after a while, and given up when
 *       that has happened too often; so a receiver may be repaired: also one that answers 401, 403
 *       or 404, as one does that is being set up</td></tr>
 * </table>
 */
public final class Webhook implements Handler {
  private static final Set<Integer> NEVER_TAKEN =
      Set.of(400, 405, 406, 410, 411, 413, 414, 415, 417, 421, 422, 431, 505);

  private final Target target;
  private final Secret secret;
  private final Clock clock;
  private final Poster poster;

  Webhook(Target target, Secret secret, WebhookOptions options, Environment environment) {
    this.target = target;
    this.secret = secret;
    this.clock = environment.clock();
    this.poster = new Poster(target, options, environment.tls());
    if (target.isLiteral()) {
      URI unused = target.pinned(1); // fails at once if it is never to be allowed
    }
  }

  /**
   * What a webhook finds around it.
   *
   * @param tls its own: connections that are resumed aren't checked again, and those of one context
   *     are told apart by their addresses, which two hosts may share
   */
  record Environment(Clock clock, SSLContext tls) {}

  /**
   * A webhook.
   *
   * @param uri of http or https. It isn't shown in logs and errors beyond the host
   * @param secret known to the receiver
   * @throws RefusedTargetException when events can't be sent there
   */
  public static Webhook to(URI uri, Secret secret, WebhookOptions options) {
    Target target = new Target(uri, options.addresses(), Resolver.system());
    return new Webhook(target, secret, options, new Environment(Clock.systemUTC(), newTls()));
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
  public void handle(Context context) throws InterruptedException {
    byte[] body = CanonicalJson.write(EventJson.write(context.event())).getBytes(UTF_8);
    String timestamp = Long.toString(clock.instant().getEpochSecond());
    Map<String, String> headers =
        Map.of(
            "Content-Type",
            "application/json",
            "Idempotency-Key",
            context.idempotencyKey(),
            "Tidemark-Attempt",
            Integer.toString(context.attempt()),
            "Tidemark-Event-Type",
            context.event().type(),
            Signature.TIMESTAMP_HEADER,
            timestamp,
            Signature.HEADER,
            Signature.sign(secret, timestamp, body));
    judge(poster.post(target.pinned(context.attempt()), headers, body));
  }

  private void judge(int status) {
    if (status >= 200 && status < 300) {
      return;
    }
    String answer = target + " has answered " + status;
    if (NEVER_TAKEN.contains(status)) {
      throw new GiveUpException(answer);
    }
    throw new WebhookFailedException(
        status >= 300 && status < 400 ? answer + "; redirects aren't followed" : answer, null);
  }

  /** Where it sends events to, without what may be secret. */
  @Override
  public String toString() {
    return "a webhook to " + target;
  }
}
