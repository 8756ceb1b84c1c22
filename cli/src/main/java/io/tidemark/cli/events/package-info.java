// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on events: publishing, claiming and settling, dead letters, cleanup, and reading along.
 * Each class is a verb; {@link io.tidemark.cli.events.EventBusMixin} has the options that all
 * share, {@link io.tidemark.cli.events.EventFormatter} prints events. The verbs are adapters of
 * {@code io.tidemark.events}.
 */
@NullMarked
package io.tidemark.cli.events;

import org.jspecify.annotations.NullMarked;
