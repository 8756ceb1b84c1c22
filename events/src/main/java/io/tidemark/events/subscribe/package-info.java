// SPDX-License-Identifier: Apache-2.0
/**
 * Webhooks and schedules that are stored in the bus: {@link
 * io.tidemark.events.subscribe.SubscriptionStore} keeps them, {@link
 * io.tidemark.events.subscribe.SubscriptionRunners} runs them in a server.
 */
@NullMarked
package io.tidemark.events.subscribe;

import org.jspecify.annotations.NullMarked;
