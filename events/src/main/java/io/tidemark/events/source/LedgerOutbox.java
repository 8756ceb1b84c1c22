// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.events.EventBus;
import io.tidemark.events.store.EventJson;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.store.Outbox;
import io.tidemark.objects.TidemarkException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Outbox that publishes events exactly if the commit that carries them takes place, even if the
 * process or the bus fails in between.
 *
 * <p>The commit carries the events in its manifest, so one write makes both durable. The events are
 * published right after it. The object {@code outboxes/NAME.json} of the bus holds the commit up to
 * which everything is published. Opening the outbox publishes the events of later commits, and so
 * does {@link #poll()}, whether this process or another has made those commits. An event that is
 * published a second time has the same id, so handlers get it as one. A late event gets the current
 * time, since polls don't look far back.
 *
 * <p>An event that the bus rejects, as when another program wrote it or limits were lowered,
 * becomes an event of the type {@value OutboxRejection#TYPE} that says where it is.
 *
 * <p>The outbox of a branch doesn't publish events of commits before the branch was created; the
 * outbox of the branch it came from does. When a merge moves the head to existing commits, both
 * outboxes publish their events, under the same ids. Safe for use by any number of threads.
 */
public final class LedgerOutbox implements EventSource {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerOutbox.class);

  /** Number of commits between two writes of the position. */
  private static final int COMMITS_A_POSITION = 64;

  private final EventBus bus;
  private final Ledger ledger;
  private final String name;
  private final CommitFollower walk;

  /** Manifest paths of this process's commits whose events have been published. */
  private final Set<String> published = ConcurrentHashMap.newKeySet();

  private volatile boolean owing;

  private LedgerOutbox(EventBus bus, Ledger ledger, String name) {
    this.bus = bus;
    this.ledger = ledger;
    this.name = name;
    this.walk =
        new CommitFollower(PositionStore.forOutbox(bus, name), ledger, StartPosition.OLDEST);
  }

  /**
   * Opens the outbox of a ledger, and publishes its remaining events.
   *
   * @param ledger ledger that is committed to; the caller closes it, after the outbox
   * @param name name of the ledger and its branch, the same wherever it is opened and unique on
   *     this bus
   */
  public static LedgerOutbox open(EventBus bus, Ledger ledger, String name) {
    LedgerOutbox outbox = new LedgerOutbox(bus, ledger, name);
    outbox.poll();
    return outbox;
  }

  /** Commits the changes queued in a session, and publishes events with the commit. */
  public Optional<Commit> commit(
      Session session, Map<String, String> metadata, List<OutgoingEvent> events) {
    return commit(session, metadata, CommitCondition.none(), events);
  }

  /**
   * Commits the changes queued in a session on a condition, and publishes events with the commit.
   * When the condition isn't met, nothing is published.
   *
   * <p>When there is nothing to commit, the events are published all the same, at one request each.
   * Once there is a commit, this doesn't fail: an event that can't be published is published later.
   *
   * @param events events to publish. An event without an id gets a new one with each call; a caller
   *     that retries after an unknown outcome gives each event an id
   * @return the commit; empty when there was nothing to change
   * @throws io.tidemark.events.model.InvalidEventPayloadException or another, before anything is
   *     done, when an event can't be published
   * @throws io.tidemark.ledger.OutboxTooLargeException when the events are too large for one commit
   */
  public Optional<Commit> commit(
      Session session,
      Map<String, String> metadata,
      CommitCondition commitCondition,
      List<OutgoingEvent> events) {
    if (session.ledger() != ledger) {
      throw new IllegalArgumentException(
          "the session is one of another ledger than the outbox; open an outbox for that");
    }
    List<PreparedEvent> letters = prepare(events);
    Outbox outbox =
        Outbox.of(
            letters.stream().map(preparedEvent -> EventJson.write(preparedEvent.event())).toList());
    Optional<Commit> commit = session.commit(metadata, commitCondition, outbox);
    if (commit.isPresent()) {
      afterCommit(commit.get(), letters);
    } else if (commitCondition.isMet()) {
      letters.forEach(PreparedEvent::publish);
    }
    return commit;
  }

  /**
   * Prepares the events for publishing; of several without a time, each comes after the one before.
   */
  private List<PreparedEvent> prepare(List<OutgoingEvent> events) {
    Instant now = bus.store().clock().instant().truncatedTo(ChronoUnit.MICROS);
    List<PreparedEvent> letters = new ArrayList<>();
    for (OutgoingEvent outgoingEvent : events) {
      Instant next = now.plus(letters.size(), ChronoUnit.MICROS);
      letters.add(PreparedEvent.of(outgoingEvent, next, bus.options().limits()));
    }
    return letters;
  }

  /** Publishes the events of a commit, without failing, as the commit is durable. */
  private void afterCommit(Commit commit, List<PreparedEvent> letters) {
    if (letters.isEmpty()) {
      return;
    }
    try {
      letters.forEach(PreparedEvent::publish);
      published.add(commit.path());
      if (owing || published.size() >= COMMITS_A_POSITION) {
        poll();
      }
    } catch (TidemarkException e) {
      owing = true;
      LOG.warn(
          "commit {} of {} is done; its events are published later: {}",
          commit.id(),
          name,
          e.getMessage());
    }
  }

  /** Publishes the events of all processes' commits that aren't known to be published. */
  @Override
  public int poll() {
    owing = false;
    Set<String> before = Set.copyOf(published); // all of them are up to the head
    try {
      int events = walk.run(this::publishOutbox);
      published.removeAll(before);
      return events;
    } catch (RuntimeException e) {
      owing = true;
      throw e;
    }
  }

  private int publishOutbox(Commit commit) {
    if (commit.outboxSize() == 0 || published.contains(commit.path())) {
      return 0;
    }
    List<JsonNode> documents = ledger.log().outbox(commit);
    for (int i = 0; i < documents.size(); i++) {
      publishOutbox(documents.get(i), new OutboxRejection(name, commit, i));
    }
    return documents.size();
  }

  private void publishOutbox(JsonNode json, OutboxRejection otherwise) {
    try {
      OutboxDocument document = OutboxDocument.parse(json);
      SourcePublisher.publish(bus.namespace(document.namespace()), document.event());
    } catch (TidemarkException e) {
      if (!SourcePublisher.isPermanent(e)) {
        throw e;
      }
      LOG.warn("{}", e.getMessage());
      otherwise.publish(bus, json, e);
    }
  }

  /** Stores the position, if that succeeds; leaves ledger and bus open. */
  @Override
  public void close() {
    if (owing || !published.isEmpty()) {
      try {
        poll();
      } catch (TidemarkException e) {
        LOG.warn("the outbox of {} is left to who opens it next: {}", name, e.getMessage());
      }
    }
  }
}
