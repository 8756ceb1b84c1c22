// SPDX-License-Identifier: Apache-2.0
/**
 * What a process knows of the events of a namespace, and how it makes claims on them. Start with
 * {@link io.tidemark.events.claim.EventCache}, which finds events, and {@link
 * io.tidemark.events.claim.HandlerState}, which knows how far one handler is.
 */
@NullMarked
package io.tidemark.events.claim;

import org.jspecify.annotations.NullMarked;
