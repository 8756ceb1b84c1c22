// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Optional;

/**
 * Outcome of a subscription.
 *
 * @param subscription subscription as it is stored
 * @param secret new secret, which is shown this once; empty if the request had one
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record SubscribeResult(
    @JsonUnwrapped EventSubscription subscription, Optional<String> secret) {

  /** Returns the subscription alone; the secret doesn't belong into logs. */
  @Override
  public String toString() {
    return subscription.toString();
  }
}
