// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/**
 * Summary of a namespace.
 *
 * @param pendingEvents number of events that no handler holds, has acknowledged or has given up
 * @param activeSessions number of sessions with a recent heartbeat
 * @param deadSessions number of the other sessions
 * @param deadLetters number of dead letters, one for each event and handler
 */
public record NamespaceInfo(
    String namespace,
    long pendingEvents,
    long activeSessions,
    long deadSessions,
    long deadLetters) {}
