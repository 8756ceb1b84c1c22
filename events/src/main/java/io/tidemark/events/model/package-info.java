// SPDX-License-Identifier: Apache-2.0
/**
 * Values of the bus: events, claims, results and options. Start with {@link
 * io.tidemark.events.model.Event} and {@link io.tidemark.events.model.NewEvent}. Nothing here reads
 * or writes a store.
 */
@NullMarked
package io.tidemark.events.model;

import org.jspecify.annotations.NullMarked;
