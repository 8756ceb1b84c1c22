// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.names.watch.NameEvent;
import java.util.List;
import java.util.Optional;

/**
 * Position of a client in a history: before it, within a snapshot, or after one of its events. It
 * advances from there to the end, and never skips events without a resync.
 */
final class ClientCursor {

  /** Receiver of the next items. */
  interface EventSink {

    /** Everything sent before is void: a snapshot follows. */
    void resync(String reason);

    /** A record of the snapshot. */
    void snapshotRecord(byte[] json);

    /** The snapshot is complete. */
    void ready(Position position, long records);

    /**
     * A record has changed, or an event concerns the whole store.
     *
     * @param name name of the event in a stream
     */
    void changed(Position position, String name, byte[] json);

    /** Returns whether the receiver has enough for now. */
    boolean isFull();
  }

  private static final int BATCH = 256;

  private final WatchView watchView;
  private final Optional<Position> after;
  private final boolean fromNow;
  private Optional<WatchHistory> entered = Optional.empty();
  private Optional<WatchHistory.Snapshot> snapshot = Optional.empty();
  private int next;
  private long told;
  private long number;

  /**
   * Creates a cursor before any history.
   *
   * @param after last position that the client received
   * @param fromNow whether the client skips the current records
   */
  ClientCursor(WatchView watchView, Optional<Position> after, boolean fromNow) {
    this.watchView = watchView;
    this.after = after;
    this.fromNow = fromNow;
  }

  WatchView view() {
    return watchView;
  }

  boolean isFromNow() {
    return fromNow;
  }

  /**
   * Returns the position after the last item that the client received or may skip; empty within a
   * snapshot.
   */
  Optional<Position> position() {
    return entered
        .filter(watchHistory -> snapshot.isEmpty())
        .map(watchHistory -> new Position(watchHistory.epoch(), number));
  }

  /** Sends the next items, until there are none or the receiver has enough. */
  void advance(WatchHistory watchHistory, EventSink eventSink) {
    if (entered.isEmpty()) {
      enter(watchHistory, eventSink);
    } else if (!entered.get().epoch().equals(watchHistory.epoch())) {
      entered = Optional.of(watchHistory);
      resync(watchHistory, eventSink, "the server had to begin to watch anew");
    }
    while (!eventSink.isFull()) {
      if (snapshot.isPresent()) {
        copy(watchHistory, snapshot.get(), eventSink);
      } else if (!follow(watchHistory, eventSink)) {
        return;
      }
    }
  }

  private void enter(WatchHistory watchHistory, EventSink eventSink) {
    entered = Optional.of(watchHistory);
    if (Position.isKept(after, watchHistory)) {
      number = after.orElseThrow().number();
    } else if (after.isPresent()) {
      resync(
          watchHistory,
          eventSink,
          after.get().epoch().equals(watchHistory.epoch())
              ? "what came behind that id isn't kept any more"
              : "that id is of another server, or of this one before it was idle or restarted");
    } else if (fromNow) {
      number = watchHistory.last();
      eventSink.ready(new Position(watchHistory.epoch(), number), 0);
    } else {
      begin(watchHistory);
    }
  }

  private void resync(WatchHistory watchHistory, EventSink eventSink, String reason) {
    eventSink.resync(reason);
    begin(watchHistory);
  }

  private void begin(WatchHistory watchHistory) {
    snapshot = Optional.of(watchHistory.snapshot());
    next = 0;
    told = 0;
  }

  private void copy(WatchHistory watchHistory, WatchHistory.Snapshot from, EventSink eventSink) {
    while (next < from.size() && !eventSink.isFull()) {
      Optional<NameEvent> event = watchView.of(from.get(next++));
      if (event.isPresent()) {
        told++;
        eventSink.snapshotRecord(watchView.json(event.get()));
      }
    }
    if (next >= from.size()) {
      number = from.number();
      snapshot = Optional.empty();
      eventSink.ready(new Position(watchHistory.epoch(), number), told);
    }
  }

  /** Sends the next events; returns false if there were none. */
  private boolean follow(WatchHistory watchHistory, EventSink eventSink) {
    Optional<List<WatchHistory.Entry>> entries = watchHistory.since(number, BATCH);
    if (entries.isEmpty()) {
      resync(watchHistory, eventSink, "too slow: what came meanwhile isn't kept any more");
      return true;
    }
    for (WatchHistory.Entry entry : entries.get()) {
      if (eventSink.isFull()) {
        return true;
      }
      number = entry.number();
      watchView
          .of(entry)
          .ifPresent(
              json ->
                  eventSink.changed(
                      new Position(watchHistory.epoch(), number), entry.name(), json));
    }
    return !entries.get().isEmpty();
  }
}
