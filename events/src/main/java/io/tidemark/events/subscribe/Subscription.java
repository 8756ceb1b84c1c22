// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.subscribe;

import io.tidemark.events.model.NameValidator;
import io.tidemark.events.webhook.AddressPolicy;
import io.tidemark.events.webhook.Webhook;
import io.tidemark.events.webhook.WebhookOptions;
import io.tidemark.events.webhook.WebhookSecret;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;

/**
 * Webhook that gets the events of some types.
 *
 * @param handler id of the handler
 * @param types types of the events; empty for all
 * @param url address that the events are posted to, which may hold a token
 * @param secret secret that signs the events
 * @param createdAt time of the subscription
 */
public record Subscription(
    String handler, List<String> types, String url, String secret, Instant createdAt) {

  public Subscription {
    NameValidator.handler(handler);
    types = List.copyOf(types);
    types.forEach(NameValidator::type);
  }

  /** Refuses an address or secret that can't be used. */
  public void check() {
    Webhook unused = webhook(WebhookOptions.standard().withAddresses(AddressPolicy.ANY));
  }

  /** Returns the handler that posts the events. */
  Webhook webhook(WebhookOptions options) {
    try {
      return Webhook.to(new URI(url), WebhookSecret.of(secret), options);
    } catch (URISyntaxException e) { // whose message repeats the address
      throw new TidemarkException(
          ErrorCode.INVALID_REQUEST,
          "the url of a webhook must be an address like https://host/path");
    } catch (IllegalArgumentException e) {
      throw new TidemarkException(ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  /** Returns scheme, host and port of the address, without what may be secret. */
  public String target() {
    URI uri = URI.create(url);
    return uri.getScheme() + "://" + uri.getAuthority();
  }

  /** Returns the handler and its host, without what may be secret. */
  @Override
  public String toString() {
    return handler + " at " + target();
  }
}
