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
 * What moved, numbered from 1 in the order in which it was told, of which the last events are kept;
 * and how all records stand after the last of them. Whoever has taken in a snapshot and every event
 * behind its number knows exactly that.
 *
 * <p>Numbers mean nothing in another history, also of the same store: each has an epoch, which is
 * part of the ids that clients come back with.
 */
final class WatchHistory {

  /**
   * A snapshot is used again while what came behind it is less than this part of it: to tell that
   * too costs next to nothing beside the snapshot, but to copy a million records for each of a
   * thousand clients would.
   */
  private static final int WORTHWHILE = 100;

  /**
   * Something that was told.
   *
   * @param name {@code change} for what happened to a record
   * @param event what happened to a record; empty for what concerns the store as a whole
   * @param json what is told of it to who asks for everything
   */
  @SuppressWarnings("ArrayRecordComponent") // written once for all who are told, never compared
  record Entry(long number, String name, Optional<NameEvent> event, byte[] json) {}

  /** How a record stands. */
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

  /** How all records stood after an event. */
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

    /** One of the records, as one that appeared, or that can't be read. */
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

  /** Takes in how a record stands at the beginning. */
  synchronized void begin(NameEvent event) {
    updateState(event);
  }

  synchronized void add(NameEvent event) {
    updateState(event);
    retain("change", Optional.of(event), NameEventJson.of(event));
  }

  /** Takes in that the store can't be watched at the moment. */
  synchronized void markUnavailable(String why) {
    troubled = true;
    retain("trouble", Optional.empty(), OutputBuffer.notice("trouble").put("problem", why));
  }

  /** Takes in that it can be watched again; nothing was missed. */
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

  /** Returns whether all that came behind a number is kept. */
  synchronized boolean retainsSince(long number) {
    return number <= last && number > last - kept.length - 1 && number >= 0;
  }

  /**
   * What came behind a number, in order.
   *
   * @param atMost so many
   * @return empty when some of it isn't kept any more
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

  /** All records, as they stood not long ago; what came since is kept. */
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
