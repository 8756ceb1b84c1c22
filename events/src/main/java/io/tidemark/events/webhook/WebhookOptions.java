// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import java.time.Duration;

/**
 * How events are sent.
 *
 * @param connectTimeout how long a connection may take
 * @param requestTimeout how long all of it may take
 * @param maxResponseBytes how much of an answer is read; what is longer is cut off
 * @param addresses to which addresses
 */
public record WebhookOptions(
    Duration connectTimeout,
    Duration requestTimeout,
    int maxResponseBytes,
    AddressPolicy addresses) {

  public static WebhookOptions standard() {
    return new WebhookOptions(
        Duration.ofSeconds(5), Duration.ofSeconds(20), 64 * 1024, AddressPolicy.PUBLIC);
  }

  public WebhookOptions withTimeouts(Duration connect, Duration request) {
    return new WebhookOptions(connect, request, maxResponseBytes, addresses);
  }

  public WebhookOptions withMaxResponseBytes(int other) {
    return new WebhookOptions(connectTimeout, requestTimeout, other, addresses);
  }

  public WebhookOptions with(AddressPolicy other) {
    return new WebhookOptions(connectTimeout, requestTimeout, maxResponseBytes, other);
  }
}
