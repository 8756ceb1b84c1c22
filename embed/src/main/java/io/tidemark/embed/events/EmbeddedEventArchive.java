// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.events;

import io.tidemark.api.Page;
import io.tidemark.api.events.Cutoff;
import io.tidemark.api.events.DeadLetterEntry;
import io.tidemark.api.events.EventArchiveService;
import io.tidemark.api.events.EventCleanupRequest;
import io.tidemark.api.events.EventCleanupResult;
import io.tidemark.api.events.EventDetails;
import io.tidemark.api.events.EventEntry;
import io.tidemark.api.events.EventListRequest;
import io.tidemark.api.events.ReplayResult;
import io.tidemark.api.events.SessionEntry;
import io.tidemark.events.Namespace;
import io.tidemark.events.Sessions;
import io.tidemark.events.model.Cleanup;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.events.model.UnknownEventException;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Stored events of a namespace, in this process. */
final class EmbeddedEventArchive implements EventArchiveService {

  /** Separates the parts of a cursor, which contain none. */
  private static final String SEPARATOR = " ";

  private static final Duration STANDARD_AGE = Duration.ofDays(7);

  private final Namespace namespace;
  private final Clock clock;
  private final Duration skew;

  /**
   * @param skew difference that clocks of callers may have
   */
  EmbeddedEventArchive(Namespace namespace, Clock clock, Duration skew) {
    this.namespace = namespace;
    this.clock = clock;
    this.skew = skew;
  }

  @Override
  public Page<EventEntry> list(EventListRequest request) {
    int most = limitPlusOne(request.limit());
    List<ListedEvent> found =
        request
            .cursor()
            .map(EmbeddedEventArchive::parts)
            .map(first -> namespace.listBefore(moment(first[0]), first[1], most))
            .orElseGet(() -> namespace.list(most));
    List<ListedEvent> page =
        found.subList(Math.max(0, found.size() - request.limit()), found.size());
    Optional<String> next =
        page.size() < found.size()
            ? Optional.of(page.get(0).createdAt() + SEPARATOR + page.get(0).id())
            : Optional.empty();
    return new Page<>(
        page.stream()
            .map(each -> EventResultMapper.entry(namespace.name(), each))
            .filter(each -> request.status().isEmpty() || request.status().get() == each.status())
            .filter(
                each ->
                    request.types().isEmpty()
                        || each.type().filter(request.types()::contains).isPresent())
            .toList(),
        next);
  }

  private static int limitPlusOne(int limit) {
    return limit == Integer.MAX_VALUE ? limit : limit + 1;
  }

  private static String[] parts(String cursor) {
    String[] parts = cursor.split(SEPARATOR, -1);
    if (parts.length != 2) {
      throw invalidCursor();
    }
    return parts;
  }

  private static Instant moment(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw invalidCursor();
    }
  }

  private static TidemarkException invalidCursor() {
    return new TidemarkException(
        ErrorCode.INVALID_REQUEST, "the cursor is none of this listing's; begin without one");
  }

  @Override
  public EventDetails show(String eventId) {
    return namespace
        .inspect(eventId)
        .map(EventResultMapper::details)
        .orElseThrow(
            () ->
                new UnknownEventException(
                    "there is no event %s in the namespace %s; list the events to find it"
                        .formatted(eventId, namespace.name())));
  }

  @Override
  public ReplayResult replay(String eventId, Optional<String> key) {
    Optional<String> newId =
        key.map(given -> EventIds.of("replay", namespace.name(), given, eventId));
    return new ReplayResult(eventId, namespace.replay(eventId, newId).id(), namespace.name());
  }

  @Override
  public Page<DeadLetterEntry> deadLetters(int limit, Optional<String> cursor) {
    int most = limitPlusOne(limit);
    List<DeadLetter> found =
        cursor
            .map(EmbeddedEventArchive::parts)
            .map(last -> namespace.deadLettersAfter(last[0], last[1], most))
            .orElseGet(() -> namespace.deadLetters(most));
    return page(found, limit, last -> last.eventId() + SEPARATOR + last.handlerId())
        .map(EventResultMapper::deadLetter);
  }

  @Override
  public Page<SessionEntry> sessions(int limit, Optional<String> cursor) {
    Sessions sessions = namespace.sessions();
    int most = limitPlusOne(limit);
    List<SessionInfo> found =
        cursor.map(last -> sessions.listAfter(last, most)).orElseGet(() -> sessions.list(most));
    return page(found, limit, SessionInfo::sessionId).map(EventResultMapper::session);
  }

  private static <T> Page<T> page(List<T> found, int limit, Function<T, String> cursor) {
    return found.size() <= limit
        ? new Page<>(found, Optional.empty())
        : new Page<>(found.subList(0, limit), Optional.of(cursor.apply(found.get(limit - 1))));
  }

  @Override
  public EventCleanupResult cleanup(EventCleanupRequest request) {
    Instant now = clock.instant();
    Cleanup wanted =
        new Cleanup(
            past("before", request.before().orElse(Cutoff.age(STANDARD_AGE)), now),
            request.force() ? Cleanup.Unfinished.DELETE : Cleanup.Unfinished.KEEP,
            request.deadLetters().map(cutoff -> past("dead_letters", cutoff, now)),
            request.sessions().map(cutoff -> past("sessions", cutoff, now)));
    return EventResultMapper.cleanup(namespace.name(), wanted.before(), namespace.cleanup(wanted));
  }

  /** A time to come is a mistake: all there is would be deleted as old. */
  private Instant past(String member, Cutoff cutoff, Instant now) {
    Instant time = cutoff.at(now);
    if (time.isAfter(now.plus(skew))) {
      throw new TidemarkException(
          ErrorCode.INVALID_REQUEST,
          "\"%s\" takes a time in the past, unlike %s; for all of them give an age of 0 seconds"
              .formatted(member, time));
    }
    return time;
  }
}
