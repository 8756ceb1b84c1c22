// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import io.tidemark.events.model.Event;
import io.tidemark.objects.ObjectKeys;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** An event that a process knows of. Guarded by the shelf it is on. */
final class Shelved {

  /** The order in which events are claimed; fixed once they have been read. */
  static final Comparator<Shelved> ORDER =
      Comparator.comparing(Shelved::priority, Comparator.reverseOrder())
          .thenComparing(Shelved::createdAt)
          .thenComparing(Shelved::id);

  private final String id;
  private final String name;
  private final Instant createdAt;
  private final Optional<String> complaint;
  private String lastName;
  private int names = 1;
  private Content content = new Content.Unread();

  /**
   * An event by its name.
   *
   * @param complaint why it can't be handled, when its name says that already
   */
  Shelved(String id, String name, Instant createdAt, Optional<String> complaint) {
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

  Optional<String> complaint() {
    return complaint;
  }

  Content content() {
    return content;
  }

  void read(Content now) {
    content = now;
  }

  boolean isUnread() {
    return content instanceof Content.Unread;
  }

  /** The last of the names it was found under. */
  String lastName() {
    return lastName;
  }

  /** Another name of the same event has been found. */
  void alsoNamed(String other) {
    names++;
    lastName = ObjectKeys.ORDER.compare(other, lastName) > 0 ? other : lastName;
  }

  /** One of its names has been forgotten; whether it was the last. */
  boolean unnamed() {
    names--;
    return names == 0;
  }

  private int priority() {
    if (content instanceof Content.Whole whole) {
      return whole.event().priority();
    }
    return content instanceof Content.Lean lean ? lean.event().priority() : Event.USUAL_PRIORITY;
  }
}
