// SPDX-License-Identifier: Apache-2.0
/**
 * Events that are sent to other systems over HTTP. Start with {@link
 * io.tidemark.events.webhook.Webhook}, a handler that posts each event to one address; {@link
 * io.tidemark.events.webhook.WebhookSignature} says how who receives it can tell that it is ours.
 *
 * <p>Where events are sent to may be said by people who aren't to reach the inside of our network,
 * so {@link io.tidemark.events.webhook.AddressPolicy} decides which addresses are connected to.
 */
@NullMarked
package io.tidemark.events.webhook;

import org.jspecify.annotations.NullMarked;
