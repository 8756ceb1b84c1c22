// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * Options of sending events.
 *
 * @param connectTimeout maximum time to connect
 * @param requestTimeout maximum time of the whole request
 * @param maxResponseBytes maximum number of bytes read of a response; a longer one is cut off
 * @param addresses policy for the addresses
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
