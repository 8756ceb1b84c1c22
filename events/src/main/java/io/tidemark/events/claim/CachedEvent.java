// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Event;
import io.tidemark.objects.ObjectKeys;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** Event in the cache of a process. Guarded by its {@link EventCache}. */
final class CachedEvent {

  /** Order in which events are claimed; fixed once they have been read. */
  static final Comparator<CachedEvent> ORDER =
      Comparator.comparing(CachedEvent::priority, Comparator.reverseOrder())
          .thenComparing(CachedEvent::createdAt)
          .thenComparing(CachedEvent::id);

  private final String id;
  private final String name;
  private final Instant createdAt;
  private final Optional<String> complaint;
  private String lastName;
  private int names = 1;
  private EventContent eventContent = new EventContent.Unread();

  /**
   * Creates an unread event from its name.
   *
   * @param complaint why it can't be handled, when its name says that already
   */
  CachedEvent(String id, String name, Instant createdAt, Optional<String> complaint) {
    this.id = id;
    this.name = name;
    this.createdAt = createdAt;
    this.complaint = complaint;
    this.lastName = name;
  }

  String id() {
    return id;
  }

  /** Returns the name that it was first found under. */
  String name() {
    return name;
  }

  Instant createdAt() {
    return createdAt;
  }

  Optional<String> problem() {
    return complaint;
  }

  EventContent content() {
    return eventContent;
  }

  void read(EventContent now) {
    eventContent = now;
  }

  boolean isUnread() {
    return eventContent instanceof EventContent.Unread;
  }

  /** Returns the last of the names that it was found under. */
  String lastName() {
    return lastName;
  }

  /** Adds another name that the event was found under. */
  void addName(String other) {
    names++;
    lastName = ObjectKeys.ORDER.compare(other, lastName) > 0 ? other : lastName;
  }

  /** Removes one of its names; returns whether it was the last. */
  boolean removeName() {
    names--;
    return names == 0;
  }

  private int priority() {
    if (eventContent instanceof EventContent.Full full) {
      return full.event().priority();
    }
    return eventContent instanceof EventContent.WithoutPayload withoutPayload
        ? withoutPayload.event().priority()
        : Event.USUAL_PRIORITY;
  }
}
