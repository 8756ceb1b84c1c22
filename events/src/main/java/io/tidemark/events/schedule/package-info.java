// SPDX-License-Identifier: Apache-2.0
/**
 * Events that are published when their time has come, once, by however many runners. Start with
 * {@link io.tidemark.events.schedule.Schedule}, which is given to a runner; {@link
 * io.tidemark.events.schedule.ScheduledEventPublisher} publishes what is due.
 */
@NullMarked
package io.tidemark.events.schedule;

import org.jspecify.annotations.NullMarked;
