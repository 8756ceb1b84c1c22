// SPDX-License-Identifier: Apache-2.0
/**
 * Events of a Tidemark: {@link io.tidemark.api.events.EventBusService} lists the namespaces, {@link
 * io.tidemark.api.events.EventService} publishes, claims and follows the events of one of them.
 * Requests and results are records whose JSON form is that of the HTTP API.
 */
@NullMarked
package io.tidemark.api.events;

import org.jspecify.annotations.NullMarked;
