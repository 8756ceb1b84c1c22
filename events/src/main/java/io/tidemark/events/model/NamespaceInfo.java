// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/**
 * What there is in a namespace.
 *
 * @param pendingEvents events that wait: no handler has them, is through with them or gave them up
 * @param activeSessions those heard of lately
 * @param deadSessions the others
 * @param deadLetters one for each event and handler
 */
public record NamespaceInfo(
    String namespace,
    long pendingEvents,
    long activeSessions,
    long deadSessions,
    long deadLetters) {}
