// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import io.tidemark.events.Namespace;
import io.tidemark.events.model.NewEvent;

/** An event that is to go with a commit, and where it is to be published. */
public record OutgoingEvent(Namespace namespace, NewEvent event) {}
