// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Event;
import io.tidemark.objects.ObjectKeys;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** An event that a process knows of. Guarded by the shelf it is on. */
final class CachedEvent {

  /** The order in which events are claimed; fixed once they have been read. */
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
   * An event by its name.
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

  /** The name it was first found under. */
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

  /** The last of the names it was found under. */
  String lastName() {
    return lastName;
  }

  /** Another name of the same event has been found. */
  void addName(String other) {
    names++;
    lastName = ObjectKeys.ORDER.compare(other, lastName) > 0 ? other : lastName;
  }

  /** One of its names has been forgotten; whether it was the last. */
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
