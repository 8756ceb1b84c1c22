// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * How events are sent.
 *
 * @param connectTimeout how long a connection may take
 * @param requestTimeout how long all of it may take
 * @param maxResponseBytes how much of an answer is read; what is longer is cut off
 * @param addresses to which addresses
 */
@RecordBuilder
public record WebhookOptions(
    Duration connectTimeout, Duration requestTimeout, int maxResponseBytes, AddressPolicy addresses)
    implements WebhookOptionsBuilder.With {

  public static WebhookOptions standard() {
    return new WebhookOptions(
        Duration.ofSeconds(5), Duration.ofSeconds(20), 64 * 1024, AddressPolicy.PUBLIC);
  }
}
