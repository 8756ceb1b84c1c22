// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/**
 * Numbers of deleted objects of a cleanup.
 *
 * @param events number of events
 * @param claims number of claims, also of events that were deleted before
 * @param kept number of events that are old enough but not finished
 */
public record CleanupReport(long events, long claims, long deadLetters, long sessions, long kept) {}
