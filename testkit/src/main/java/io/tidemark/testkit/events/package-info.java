// SPDX-License-Identifier: Apache-2.0
/**
 * Contract of the event services: {@link io.tidemark.testkit.events.EventServiceContract} is run on
 * every implementation.
 */
@NullMarked
package io.tidemark.testkit.events;

import org.jspecify.annotations.NullMarked;
