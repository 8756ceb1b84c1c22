// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on events: publishing, claiming and settling, dead letters, cleanup, and reading along.
 * Each class is a verb; {@link io.tidemark.cli.events.EventBusMixin} is what all share, {@link
 * io.tidemark.cli.events.EventFormatter} how events are printed. What the verbs do lives in {@code
 * io.tidemark.events}.
 */
@NullMarked
package io.tidemark.cli.events;

import org.jspecify.annotations.NullMarked;
