// SPDX-License-Identifier: Apache-2.0
/**
 * Work on events: handlers are registered with a runner, which claims events for them, hands them
 * over and settles them.
 *
 * <p>Start with {@link io.tidemark.events.run.Runner}. {@link io.tidemark.events.run.EventContext}
 * has the operations of a handler, {@link io.tidemark.events.run.HandlerRegistration} its settings.
 */
@NullMarked
package io.tidemark.events.run;

import org.jspecify.annotations.NullMarked;
