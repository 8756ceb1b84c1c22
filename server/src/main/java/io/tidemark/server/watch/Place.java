// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.names.watch.NameEvent;
import java.util.List;
import java.util.Optional;

/**
 * Where a client stands in a history: before it, in the middle of a snapshot, or behind one of its
 * events. Goes from there to the end, never past something without telling it or saying so.
 */
final class Place {

  /** Is told what is next. */
  interface Reader {

    /** All that was told before is void: a snapshot follows. */
    void resync(String reason);

    /** A record of the snapshot. */
    void standing(byte[] json);

    /** The snapshot is complete. */
    void ready(Position position, long records);

    /**
     * Something has moved, or concerns all.
     *
     * @param name of the event in a stream
     */
    void moved(Position position, String name, byte[] json);

    /** Whether this is enough for now. */
    boolean isFull();
  }

  private static final int BATCH = 256;

  private final View view;
  private final Optional<Position> after;
  private final boolean fromNow;
  private Optional<History> entered = Optional.empty();
  private Optional<History.Snapshot> snapshot = Optional.empty();
  private int next;
  private long told;
  private long number;

  /**
   * Before any history.
   *
   * @param after where the client stood when it was last told something
   * @param fromNow whether it doesn't care for what is there already
   */
  Place(View view, Optional<Position> after, boolean fromNow) {
    this.view = view;
    this.after = after;
    this.fromNow = fromNow;
  }

  View view() {
    return view;
  }

  boolean isFromNow() {
    return fromNow;
  }

  /** The last that the client was told, or needn't be told; empty in the middle of a snapshot. */
  Optional<Position> position() {
    return entered
        .filter(history -> snapshot.isEmpty())
        .map(history -> new Position(history.epoch(), number));
  }

  /** Tells what is next, until there is nothing or the reader has enough. */
  void advance(History history, Reader reader) {
    if (entered.isEmpty()) {
      enter(history, reader);
    } else if (!entered.get().epoch().equals(history.epoch())) {
      entered = Optional.of(history);
      resync(history, reader, "the server had to begin to watch anew");
    }
    while (!reader.isFull()) {
      if (snapshot.isPresent()) {
        copy(history, snapshot.get(), reader);
      } else if (!follow(history, reader)) {
        return;
      }
    }
  }

  private void enter(History history, Reader reader) {
    entered = Optional.of(history);
    if (Position.isKept(after, history)) {
      number = after.orElseThrow().number();
    } else if (after.isPresent()) {
      resync(
          history,
          reader,
          after.get().epoch().equals(history.epoch())
              ? "what came behind that id isn't kept any more"
              : "that id is of another server, or of this one before it was idle or restarted");
    } else if (fromNow) {
      number = history.last();
      reader.ready(new Position(history.epoch(), number), 0);
    } else {
      begin(history);
    }
  }

  private void resync(History history, Reader reader, String reason) {
    reader.resync(reason);
    begin(history);
  }

  private void begin(History history) {
    snapshot = Optional.of(history.snapshot());
    next = 0;
    told = 0;
  }

  private void copy(History history, History.Snapshot from, Reader reader) {
    while (next < from.size() && !reader.isFull()) {
      Optional<NameEvent> event = view.of(from.get(next++));
      if (event.isPresent()) {
        told++;
        reader.standing(view.json(event.get()));
      }
    }
    if (next >= from.size()) {
      number = from.number();
      snapshot = Optional.empty();
      reader.ready(new Position(history.epoch(), number), told);
    }
  }

  /** False when there was nothing more. */
  private boolean follow(History history, Reader reader) {
    Optional<List<History.Entry>> entries = history.since(number, BATCH);
    if (entries.isEmpty()) {
      resync(history, reader, "too slow: what came meanwhile isn't kept any more");
      return true;
    }
    for (History.Entry entry : entries.get()) {
      if (reader.isFull()) {
        return true;
      }
      number = entry.number();
      view.of(entry)
          .ifPresent(
              json -> reader.moved(new Position(history.epoch(), number), entry.name(), json));
    }
    return !entries.get().isEmpty();
  }
}
