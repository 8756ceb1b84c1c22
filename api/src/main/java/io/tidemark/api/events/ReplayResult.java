// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

/**
 * Outcome of a replay.
 *
 * @param replayedEventId id of the event that was published again
 * @param newEventId id under which it was published
 * @param namespace namespace of both
 */
public record ReplayResult(String replayedEventId, String newEventId, String namespace) {}
