// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Backend that keeps records in memory, for tests and for data that needn't last. It is also the
 * simplest statement of what the other backends must do.
 */
public final class MemoryNameBackend implements NameBackend, NameStore {

  private static final int PAGE = 1000;

  /** In turns of a waiting loop: a few microseconds, in which another makes some changes. */
  private static final int COURTESY = 60;

  /**
   * A place for a record, changed by compare-and-set. An edit, which takes its time, would lose to
   * changes that don't; so while one is under way, changes wait for its end. A cell is emptied
   * before it is taken out of the maps, and then stays empty.
   */
  private static final class Cell {
    private final AtomicReference<@Nullable NameRecord> record;
    private volatile boolean edited;
    private final Optional<String> id = Optional.of(UUID.randomUUID().toString());

    Cell(NameRecord record) {
      this.record = new AtomicReference<>(record.withRecordId(id));
    }
  }

  private final ConcurrentMap<Address, Cell> cells = new ConcurrentHashMap<>();

  /** Records by the text of their addresses, for listings. */
  private final ConcurrentNavigableMap<String, Cell> inOrder = new ConcurrentSkipListMap<>();

  private final Clock clock;
  private final ChangeMarker changeMarker = new MemoryChangeMarker();

  public MemoryNameBackend() {
    this(Clock.systemUTC());
  }

  public MemoryNameBackend(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Optional<NameRecord> find(Address address) {
    Cell cell = cells.get(address);
    return cell == null ? Optional.empty() : Optional.ofNullable(cell.record.get());
  }

  @Override
  public Optional<ConcernValue> get(Address address, Concern concern) {
    return find(address).filter(record -> record.has(concern)).map(r -> r.concern(concern));
  }

  @Override
  public boolean create(NameRecord record) {
    Address address = record.address();
    Cell cell = new Cell(record);
    Cell there = cells.putIfAbsent(address, cell);
    while (there != null && there.record.get() == null) {
      // Its record is gone, whether or not the removing thread has taken out the cell yet.
      cells.remove(address, there);
      there = cells.putIfAbsent(address, cell);
    }
    if (there == null) {
      enter(cell, address);
    }
    return there == null;
  }

  /**
   * Adds a cell to the listing. The thread that removes the record takes its cell out under the
   * same monitor, so removal goes last.
   */
  private void enter(Cell cell, Address address) {
    synchronized (cell) {
      if (cell.record.get() != null) {
        inOrder.put(address.toString(), cell);
      }
    }
  }

  @Override
  public Outcome change(Address address, ConcernChange concernChange) {
    Cell cell = cells.get(address);
    if (cell == null) {
      return Missing.MISSING;
    }
    Outcome outcome = make(cell, concernChange);
    if (outcome instanceof Refused) {
      // Two threads that retry at once only undo each other's work; so one lets the other go ahead,
      // and then sees its result.
      for (int i = 0; i < COURTESY; i++) {
        Thread.onSpinWait();
      }
      outcome = make(cell, concernChange);
    }
    return outcome;
  }

  private Outcome make(Cell cell, ConcernChange concernChange) {
    Optional<Outcome> outcome = Optional.empty();
    while (outcome.isEmpty()) {
      if (cell.edited) {
        synchronized (cell) {
          outcome = attempt(cell, concernChange);
        }
      } else {
        outcome = attempt(cell, concernChange);
      }
    }
    return outcome.get();
  }

  /** Empty when another writer was faster. */
  private Optional<Outcome> attempt(Cell cell, ConcernChange concernChange) {
    NameRecord record = cell.record.get();
    if (record == null || !record.has(concernChange.concern())) {
      return Optional.of(Missing.MISSING);
    }
    if (record.meta().retracted()) {
      return Optional.of(Retracted.RETRACTED);
    }
    ConcernValue current = record.concern(concernChange.concern());
    if (!concernChange.allows(current)) {
      return Optional.of(new Refused(current));
    }
    NameRecord next = record.with(concernChange.concern(), concernChange.next(), clock.millis());
    return cell.record.compareAndSet(record, next)
        ? Optional.of(new Applied(concernChange.next()))
        : Optional.empty();
  }

  @Override
  public Optional<EditResult> edit(Address address, RecordEdit edit) {
    Cell cell = cells.get(address);
    if (cell == null) {
      return Optional.empty();
    }
    synchronized (cell) {
      cell.edited = true;
      try {
        return edit(cell, address, edit);
      } finally {
        cell.edited = false;
      }
    }
  }

  /** Again and again until the changes that had begun before are over. */
  private Optional<EditResult> edit(Cell cell, Address address, RecordEdit edit) {
    while (true) {
      NameRecord record = cell.record.get();
      if (record == null) {
        return Optional.empty();
      }
      EditResult editResult = EditResult.of(record, edit.decide(record));
      NameRecord after = editResult.after().map(next -> next.withRecordId(cell.id)).orElse(null);
      if (cell.record.compareAndSet(record, after)) {
        if (editResult.after().isEmpty()) {
          cells.remove(address, cell); // and no other, made since
          inOrder.remove(address.toString(), cell);
        }
        return Optional.of(editResult);
      }
    }
  }

  @Override
  public Stream<NameRecord> list(String prefix, String startAfter) {
    String from = startAfter.compareTo(prefix) < 0 ? prefix : startAfter;
    return inOrder.tailMap(from, true).entrySet().stream()
        .takeWhile(entry -> entry.getKey().startsWith(prefix))
        .filter(entry -> entry.getKey().compareTo(startAfter) > 0)
        .flatMap(entry -> Stream.ofNullable(entry.getValue().record.get()));
  }

  @Override
  public NameStore store() {
    return this;
  }

  @Override
  public Stream<NameRecord> branchesOf(Address source) {
    return list(source.name() + ":", "").filter(record -> record.isBranchOf(source));
  }

  @Override
  public VersionPage listVersions(String prefix, Optional<String> page) {
    try (Stream<NameRecord> records = list(prefix, page.orElse(""))) {
      List<NameRecord> some = records.limit(PAGE).toList();
      return new VersionPage(
          some.stream().map(this::sighting).toList(),
          some.size() < PAGE
              ? Optional.empty()
              : Optional.of(some.get(PAGE - 1).address().toString()));
    }
  }

  private VersionPage.VersionEntry sighting(NameRecord record) {
    String version = record.meta().recordId().orElse("") + Integer.toHexString(record.hashCode());
    return new VersionPage.VersionEntry(record.address(), "record", version);
  }

  @Override
  public ChangeMarker marker() {
    return changeMarker;
  }

  @Override
  public String location() {
    return "memory:";
  }

  @Override
  public void close() {
    // The caller may still hold a reference; the garbage collector frees the records after it.
  }
}
