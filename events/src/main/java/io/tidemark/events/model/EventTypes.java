// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What the types of events are called: words with dots between, such as {@code order.created.v2}. A
 * record named {@code OrderCreatedV2} has that type unless its {@link EventType} says another.
 */
public final class EventTypes {

  /** Told of every event that ends as a dead letter. */
  public static final String DEAD_LETTER = "event.dead_letter";

  /** Before a capital that begins a word: after a small one or a digit, or before a small one. */
  private static final Pattern BETWEEN_WORDS =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private EventTypes() {}

  /**
   * The events of a kind of record.
   *
   * @param name their type
   * @param priority how urgent they are
   */
  public record TypeDescriptor(String name, int priority) {}

  /** The type of the events that such records are. */
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
