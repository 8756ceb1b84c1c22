// SPDX-License-Identifier: Apache-2.0
/**
 * Work on events: handlers are registered with a runner, which claims events for them, hands them
 * over and settles them.
 *
 * <p>Start with {@link io.tidemark.events.run.Runner}. What a handler can do is in {@link
 * io.tidemark.events.run.EventContext}, what is said of it in {@link
 * io.tidemark.events.run.HandlerRegistration}.
 */
@NullMarked
package io.tidemark.events.run;

import org.jspecify.annotations.NullMarked;
