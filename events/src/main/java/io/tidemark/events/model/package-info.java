// SPDX-License-Identifier: Apache-2.0
/**
 * Events and their life as values: an event, its claims, how it ended, and the options of a bus.
 * Start with {@link io.tidemark.events.model.Event} and {@link io.tidemark.events.model.NewEvent}.
 * Nothing here reads or writes a store.
 */
@NullMarked
package io.tidemark.events.model;

import org.jspecify.annotations.NullMarked;
