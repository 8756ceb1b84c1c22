// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * Outcome of a publication.
 *
 * @param event event as it is stored
 * @param published whether this request stored the event; false if it was stored before
 */
public record PublishedEvent(@JsonUnwrapped StoredEvent event, boolean published) {}
