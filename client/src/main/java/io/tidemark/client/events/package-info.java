// SPDX-License-Identifier: Apache-2.0
/** Event services of a server: {@link io.tidemark.client.events.HttpEvents} sends the requests. */
@NullMarked
package io.tidemark.client.events;

import org.jspecify.annotations.NullMarked;
