// SPDX-License-Identifier: Apache-2.0
/**
 * The event bus beside the fewest writes that an event takes, and beside a queue in PostgreSQL.
 * {@link io.tidemark.bench.events.EventPipeline} is what all of them are seen as.
 */
@NullMarked
package io.tidemark.bench.events;

import org.jspecify.annotations.NullMarked;
