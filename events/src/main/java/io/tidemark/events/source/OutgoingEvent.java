// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import io.tidemark.events.Namespace;
import io.tidemark.events.model.NewEvent;

/** Event to be published with a commit, and its namespace. */
public record OutgoingEvent(Namespace namespace, NewEvent event) {}
