// SPDX-License-Identifier: Apache-2.0
/**
 * Event services in process: {@link io.tidemark.embed.events.EmbeddedEvents} opens the bus of an
 * object store.
 */
@NullMarked
package io.tidemark.embed.events;

import org.jspecify.annotations.NullMarked;
