// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.time.Instant;

/**
 * Outcome of a cleanup.
 *
 * @param namespace name of the namespace
 * @param before bound between deleted and kept events
 * @param deleted number of deleted events
 * @param claims number of deleted claims
 * @param deadLetters number of deleted dead letters
 * @param sessions number of deleted sessions
 * @param kept number of events that are old enough, but not finished
 */
public record EventCleanupResult(
    String namespace,
    Instant before,
    long deleted,
    long claims,
    long deadLetters,
    long sessions,
    long kept) {}
