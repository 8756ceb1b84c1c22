// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Names of event types: words separated by dots, such as {@code order.created.v2}. A record named
 * {@code OrderCreatedV2} has that type unless its {@link EventType} names another.
 */
public final class EventTypes {

  /** Type of the event that is published for every dead letter. */
  public static final String DEAD_LETTER = "event.dead_letter";

  /**
   * Boundary before a capital that begins a word: after a small letter or a digit, or before a
   * small letter.
   */
  private static final Pattern BETWEEN_WORDS =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private EventTypes() {}

  /**
   * Type and priority of the events of a record class.
   *
   * @param name type of the events
   * @param priority priority of the events
   */
  public record TypeDescriptor(String name, int priority) {}

  /** Returns type and priority of the events of a record class. */
  public static TypeDescriptor of(Class<? extends Record> record) {
    EventType said = record.getAnnotation(EventType.class);
    String name = said == null || said.value().isEmpty() ? dotCase(record) : said.value();
    NameValidator.type(name);
    return new TypeDescriptor(name, said == null ? Event.USUAL_PRIORITY : said.priority());
  }

  private static String dotCase(Class<?> record) {
    String[] words = BETWEEN_WORDS.split(record.getSimpleName().replace('_', '.'));
    return String.join(".", words).toLowerCase(Locale.ROOT);
  }
}
