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
 * Commits to a ledger and publishes events as one: they are published if the commit takes place,
 * and not if it doesn't, whatever dies in between (F25).
 *
 * <p>The commit carries the events in its manifest, so the one write that makes it real makes them
 * real too. They are published right after it. An object {@code outboxes/NAME.json} of the bus says
 * up to which commit everything was published; whoever opens the outbox of a ledger publishes what
 * commits after that carry, and so does {@link #poll()}, be they made by this process or another.
 * An event that is published a second time has the same id, so handlers get it as one. One that is
 * late gets a time of now, since nobody looks for events of long ago.
 *
 * <p>What can't be published because the bus doesn't take it, as when another program wrote it or
 * limits were lowered, becomes an event of the type {@value Refusal#TYPE} that says where it is.
 *
 * <p>On a branch, what was committed before it was made is for the branch it was made from. What a
 * merge takes over by moving the head is published by both, under the same ids. Safe for use by any
 * number of threads.
 */
public final class LedgerOutbox implements EventSource {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerOutbox.class);

  /** After how many commits it is written down how far all is published. */
  private static final int COMMITS_A_POSITION = 64;

  private final EventBus bus;
  private final Ledger ledger;
  private final String name;
  private final CommitFollower walk;

  /** Commits of this process, by the path of the manifest, whose events have been published. */
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
   * Opens the outbox of a ledger, and publishes what is still in it.
   *
   * @param ledger which the caller closes, after the outbox
   * @param name of the ledger and its branch, the same wherever it is opened and of no other on
   *     this bus
   */
  public static LedgerOutbox open(EventBus bus, Ledger ledger, String name) {
    LedgerOutbox outbox = new LedgerOutbox(bus, ledger, name);
    outbox.poll();
    return outbox;
  }

  /** Commits what is queued in a session, and publishes events if that can be. */
  public Optional<Commit> commit(
      Session session, Map<String, String> metadata, List<OutgoingEvent> events) {
    return commit(session, metadata, CommitCondition.none(), events);
  }

  /**
   * The same on terms; when they don't hold, nothing is published.
   *
   * <p>When nothing is queued, or what is queued is true already, there is no commit and the events
   * are published all the same, at one request each. Once there is a commit, this doesn't fail: an
   * event that can't be published is published later.
   *
   * @param events one without an id gets a new one with each call; who may have to call again,
   *     because it couldn't be found out whether there was a commit, gives each an id
   * @return the commit; empty when there was nothing to change
   * @throws io.tidemark.events.model.InvalidEventPayloadException or another, before anything is
   *     done, when an event can't be published
   * @throws io.tidemark.ledger.OutboxTooLargeException when they are too much for one commit
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

  /** What the events will be; of several without a time, each comes after the one before it. */
  private List<PreparedEvent> prepare(List<OutgoingEvent> events) {
    Instant now = bus.store().clock().instant().truncatedTo(ChronoUnit.MICROS);
    List<PreparedEvent> letters = new ArrayList<>();
    for (OutgoingEvent outgoingEvent : events) {
      Instant next = now.plus(letters.size(), ChronoUnit.MICROS);
      letters.add(PreparedEvent.of(outgoingEvent, next, bus.options().limits()));
    }
    return letters;
  }

  /** The commit is real, so nothing here may fail it. */
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

  /** Publishes what commits carry, of any process, that isn't known to be published. */
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

  /** Writes down how far all is published, if that can be; leaves ledger and bus open. */
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
