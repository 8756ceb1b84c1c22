// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import io.tidemark.api.Page;
import java.util.Optional;

/** Stored events of one namespace, with their claims, dead letters and the sessions at work. */
public interface EventArchiveService {

  /** Lists events from the newest page back in time; the events of a page are in order of time. */
  Page<EventEntry> list(EventListRequest request);

  /**
   * Returns an event with its claims and dead letters.
   *
   * @throws io.tidemark.objects.TidemarkException with the code {@code unknown-event} if nothing is
   *     stored about the event
   */
  EventDetails show(String eventId);

  /**
   * Publishes an event again under a new id, so that every handler gets it once more. A dead letter
   * serves if the event has been deleted.
   *
   * @param key key of the caller's own: repeating a replay under its key publishes nothing more
   * @throws io.tidemark.objects.TidemarkException with the code {@code unknown-event} if neither
   *     the event nor a dead letter with its payload is stored
   */
  ReplayResult replay(String eventId, Optional<String> key);

  /**
   * Lists dead letters by event and handler.
   *
   * @param limit maximum number of dead letters
   * @param cursor cursor of a page before; empty for the first page
   */
  Page<DeadLetterEntry> deadLetters(int limit, Optional<String> cursor);

  /** Lists sessions by id; limit and cursor are as those of {@link #deadLetters}. */
  Page<SessionEntry> sessions(int limit, Optional<String> cursor);

  /** Deletes old events that are finished. */
  EventCleanupResult cleanup(EventCleanupRequest request);
}
