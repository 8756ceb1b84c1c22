// SPDX-License-Identifier: Apache-2.0
/**
 * Events that are published once when they are due, by any number of runners. Start with {@link
 * io.tidemark.events.schedule.Schedule}, which is given to a runner; {@link
 * io.tidemark.events.schedule.ScheduledEventPublisher} publishes the events that are due.
 */
@NullMarked
package io.tidemark.events.schedule;

import org.jspecify.annotations.NullMarked;
