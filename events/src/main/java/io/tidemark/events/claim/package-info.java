// SPDX-License-Identifier: Apache-2.0
/**
 * Cache of the events of a namespace in a process, and the claims on them. Start with {@link
 * io.tidemark.events.claim.EventCache}, which holds the known events, and {@link
 * io.tidemark.events.claim.HandlerState}, the state of one handler.
 */
@NullMarked
package io.tidemark.events.claim;

import org.jspecify.annotations.NullMarked;
