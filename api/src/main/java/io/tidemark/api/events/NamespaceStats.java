// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

/**
 * Statistics of a namespace.
 *
 * @param namespace name of the namespace
 * @param pendingEvents number of events that no handler has claimed
 * @param activeSessions number of sessions heard of lately
 * @param deadSessions number of the other sessions
 * @param deadLetters number of dead letters
 */
public record NamespaceStats(
    String namespace,
    long pendingEvents,
    long activeSessions,
    long deadSessions,
    long deadLetters) {}
