// SPDX-License-Identifier: Apache-2.0
/**
 * Events that are sent to other systems over HTTP. Start with {@link
 * io.tidemark.events.webhook.Webhook}, a handler that posts each event to one address; {@link
 * io.tidemark.events.webhook.WebhookSignature} describes how a receiver verifies its origin.
 *
 * <p>The addresses may come from users who must not reach internal networks, so {@link
 * io.tidemark.events.webhook.AddressPolicy} decides which addresses are connected to.
 */
@NullMarked
package io.tidemark.events.webhook;

import org.jspecify.annotations.NullMarked;
