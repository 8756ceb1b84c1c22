// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Event that is published again and again, once however many servers run.
 *
 * @param name name, unique in its namespace
 * @param cron minute, hour, day of the month, month and day of the week, in UTC
 * @param type type of the events
 * @param payload payload of each event
 * @param priority priority of each event
 */
public record EventSchedule(
    String name, String cron, String type, JsonNode payload, int priority) {}
