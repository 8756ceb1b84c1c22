// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.view.NameEventJson;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.Watermarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * History of changes, numbered from 1, of which the last events are retained, with the state of all
 * records after the last event. A client that has a snapshot and all events after its number has
 * exactly that state.
 *
 * <p>Numbers are meaningless in another history, even of the same store. So each history has an
 * epoch, which is part of the ids that clients send when they come back.
 */
final class WatchHistory {

  /**
   * A snapshot is reused while the number of later events is below this fraction of its size.
   * Sending those events costs little beside the snapshot, while copying a million records for each
   * of a thousand clients would cost much.
   */
  private static final int WORTHWHILE = 100;

  /**
   * Event in the history.
   *
   * @param name {@code change} for a change of a record
   * @param event change of a record; empty for an event about the whole store
   * @param json document of the event for clients without a filter
   */
  @SuppressWarnings("ArrayRecordComponent") // written once for all clients, never compared
  record Entry(long number, String name, Optional<NameEvent> event, byte[] json) {}

  /** State of a record. */
  private record RecordState(
      Address address, Optional<Watermarks> marks, Optional<String> problem) {
    NameEvent event() {
      return new NameEvent(
          problem.isPresent() ? NameEvent.Type.UNREADABLE : NameEvent.Type.APPEARED,
          address,
          marks.map(Watermarks::concerns).orElse(Set.of()),
          Optional.empty(),
          marks,
          problem);
    }
  }

  /** State of all records after an event. */
  static final class Snapshot {
    private final long number;
    private final List<RecordState> standings;

    private Snapshot(long number, List<RecordState> standings) {
      this.number = number;
      this.standings = standings;
    }

    long number() {
      return number;
    }

    int size() {
      return standings.size();
    }

    /** Returns a record as an event: appeared, or unreadable. */
    NameEvent get(int index) {
      return standings.get(index).event();
    }
  }

  private final String epoch = Long.toString(ThreadLocalRandom.current().nextLong() >>> 1, 36);
  private final Entry[] kept;
  private final TreeMap<Address, RecordState> standings = new TreeMap<>();
  private Snapshot snapshot = new Snapshot(0, List.of());
  private boolean begun;
  private boolean troubled;
  private long last;

  WatchHistory(int kept) {
    this.kept = new Entry[kept];
  }

  String epoch() {
    return epoch;
  }

  synchronized long last() {
    return last;
  }

  /** Sets the initial state of a record. */
  synchronized void begin(NameEvent event) {
    updateState(event);
  }

  synchronized void add(NameEvent event) {
    updateState(event);
    retain("change", Optional.of(event), NameEventJson.of(event));
  }

  /** Adds an event that the store can't be watched at the moment. */
  synchronized void markUnavailable(String why) {
    troubled = true;
    retain("trouble", Optional.empty(), OutputBuffer.notice("trouble").put("problem", why));
  }

  /** Adds an event that the store can be watched again, and that no change was missed. */
  synchronized void markAvailable() {
    troubled = false;
    retain("recovered", Optional.empty(), OutputBuffer.notice("recovered"));
  }

  synchronized boolean isUnavailable() {
    return troubled;
  }

  private void retain(String name, Optional<NameEvent> event, ObjectNode json) {
    last++;
    kept[(int) (last % kept.length)] = new Entry(last, name, event, OutputBuffer.of(json));
  }

  private void updateState(NameEvent event) {
    if (event.type() == NameEvent.Type.PURGED) {
      standings.remove(event.address());
    } else {
      standings.put(
          event.address(), new RecordState(event.address(), event.now(), event.problem()));
    }
  }

  /** Returns whether all events after a number are retained. */
  synchronized boolean retainsSince(long number) {
    return number <= last && number > last - kept.length - 1 && number >= 0;
  }

  /**
   * Returns the events after a number, in order.
   *
   * @param atMost maximum number of events
   * @return empty if some of them are no longer retained
   */
  synchronized Optional<List<Entry>> since(long number, int atMost) {
    if (!retainsSince(number)) {
      return Optional.empty();
    }
    List<Entry> found = new ArrayList<>((int) Math.min(last - number, atMost));
    for (long i = number + 1; i <= last && found.size() < atMost; i++) {
      found.add(kept[(int) (i % kept.length)]);
    }
    return Optional.of(found);
  }

  /** Returns a recent state of all records, since which all events are retained. */
  synchronized Snapshot snapshot() {
    long since = last - snapshot.number();
    boolean cheap = since * WORTHWHILE <= snapshot.size() && since <= kept.length / 4;
    if (!begun || (since > 0 && !cheap)) {
      begun = true;
      snapshot = new Snapshot(last, List.copyOf(standings.values()));
    }
    return snapshot;
  }
}
