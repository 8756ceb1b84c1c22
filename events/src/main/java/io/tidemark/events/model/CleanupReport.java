// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/**
 * What was thrown away.
 *
 * @param events how many events
 * @param claims how many claims, also of events that were gone before
 * @param kept how many events are old enough but not finished
 */
public record CleanupReport(long events, long claims, long deadLetters, long sessions, long kept) {}
