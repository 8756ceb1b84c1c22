// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.OrphanCollector;
import io.tidemark.ledger.OrphanCollector.Orphan;
import io.tidemark.ledger.RewoundHeadException;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.compact.ObsoleteSnapshots.ObsoleteSnapshot;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Inspection of one ledger, and the maintenance that it finds necessary. */
final class MaintenanceRun {

  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceRun.class);
  private static final Duration LEASE = Duration.ofMinutes(2);
  private static final Purpose PURPOSE = Purpose.MAINTENANCE;

  private final SoftLocks locks;
  private final String holder;
  private final MaintenanceSchedule maintenanceSchedule;
  private final BooleanSupplier stopped;

  private final LongSupplier clock;
  private final GarbageScanSchedule garbageScanSchedule;

  /** Ledgers that need a repair and have had none since; other threads read the count. */
  private final Set<Address> behind = ConcurrentHashMap.newKeySet();

  /**
   * Creates a run with this lock holder.
   *
   * @param clock clock in nanoseconds
   */
  MaintenanceRun(
      NameService names,
      String holder,
      MaintenanceSchedule maintenanceSchedule,
      LongSupplier clock,
      BooleanSupplier stopped) {
    this.locks = new SoftLocks(names, Clock.systemUTC(), LEASE);
    this.holder = holder;
    this.maintenanceSchedule = maintenanceSchedule;
    this.clock = clock;
    this.garbageScanSchedule = new GarbageScanSchedule(maintenanceSchedule, new SplittableRandom());
    this.stopped = stopped;
  }

  /** Maintenance that an inspection found necessary. */
  private record Findings(
      boolean repair, boolean compact, List<Orphan> leftovers, List<ObsoleteSnapshot> superseded) {
    boolean isEmpty() {
      return !repair && !compact && leftovers.isEmpty() && superseded.isEmpty();
    }
  }

  /**
   * Inspects a ledger, and does the necessary work unless another holder has the lock.
   *
   * @return expiry of the lock of the other holder; empty if nothing is left to do
   * @throws CancellationException if the run was stopped, or the lock was lost
   */
  Optional<Instant> run(Address address, Ledger ledger) {
    Findings found = inspect(address, ledger);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    SoftLocks.Acquisition acquisition =
        locks.acquire(address, PURPOSE, holder, OptionalLong.empty());
    if (acquisition instanceof SoftLocks.HeldBy other) {
      LOG.debug("{} is being looked after by {}", address, other.lock().holder());
      return Optional.of(Instant.ofEpochSecond(other.lock().expiresAt()));
    }
    HeldLock heldLock = new HeldLock(address, ((SoftLocks.Acquired) acquisition).lock());
    try {
      apply(address, ledger, found, heldLock);
    } finally {
      heldLock.release();
    }
    return Optional.empty();
  }

  private Findings inspect(Address address, Ledger ledger) {
    boolean repair = isBehind(address, ledger);
    boolean compact = !ledger.compaction().plan(CompactionScope.FULL_TIERS).merges().isEmpty();
    boolean collect =
        hasGarbageScans(address) && garbageScanSchedule.tryBegin(address, clock.getAsLong());
    return new Findings(
        repair,
        compact,
        collect ? leftovers(address, ledger) : List.of(),
        collect ? ledger.obsoleteSnapshots().find(maintenanceSchedule.safeAge()) : List.of());
  }

  /** Finds orphans; none if a branch was rewound, so that other maintenance can go on. */
  private List<Orphan> leftovers(Address address, Ledger ledger) {
    try {
      return ledger.orphans().find(maintenanceSchedule.safeAge());
    } catch (RewoundHeadException e) {
      LOG.warn("nothing is collected of {}: {}", address, e.getMessage());
      return List.of();
    }
  }

  private boolean isBehind(Address address, Ledger ledger) {
    try {
      ledger.indices().requireNotRewound(); // a repair would erase the evidence in the name
    } catch (RewoundHeadException e) {
      behind.add(address);
      throw e;
    }
    boolean repair = !ledger.indices().planRepair(Depth.NEWEST).isEmpty();
    if (repair) {
      behind.add(address);
    } else {
      behind.remove(address);
    }
    return repair;
  }

  int laggingLedgers() {
    return behind.size();
  }

  /** Returns whether garbage is scanned from this branch: main, for all branches. */
  private static boolean hasGarbageScans(Address address) {
    return address.branch().equals(Address.MAIN);
  }

  /** Returns the time of the next garbage scan of a ledger; empty if this branch has none. */
  OptionalLong nextGarbageScan(Address address) {
    return hasGarbageScans(address)
        ? OptionalLong.of(garbageScanSchedule.next(address, clock.getAsLong()))
        : OptionalLong.empty();
  }

  /** Removes the state of a ledger that is no longer maintained. */
  void forget(Address address) {
    garbageScanSchedule.forget(address);
    behind.remove(address);
  }

  private void apply(Address address, Ledger ledger, Findings found, HeldLock heldLock) {
    if (found.repair()) {
      ledger.indices().repair(Depth.NEWEST);
      behind.remove(address);
      LOG.info("repaired the indices of {}", address);
    }
    if (found.compact()) {
      int merges =
          ledger
              .compaction()
              .run(
                  ledger.compaction().plan(CompactionScope.FULL_TIERS),
                  (fileMerge, rows) -> heldLock.requireHeld())
              .size();
      LOG.info("compacted {}: {} merges", address, merges);
    }
    OrphanCollector orphanCollector = ledger.orphans();
    for (Orphan orphan : found.leftovers()) {
      heldLock.requireHeld();
      orphanCollector.delete(orphan);
    }
    for (ObsoleteSnapshot obsoleteSnapshot : found.superseded()) {
      heldLock.requireHeld();
      ledger.obsoleteSnapshots().delete(obsoleteSnapshot);
    }
    int deleted = found.leftovers().size() + found.superseded().size();
    if (deleted > 0) {
      LOG.info("deleted {} that nobody needs of {}", deleted, address);
    }
  }

  /** Lock that is refreshed during the work and released after it. */
  private final class HeldLock {

    private final Address address;
    private Lock lock;
    private long refreshed = System.nanoTime();

    HeldLock(Address address, Lock lock) {
      this.address = address;
      this.lock = lock;
    }

    void requireHeld() {
      if (stopped.getAsBoolean()) {
        throw new CancellationException("the server stops");
      }
      long now = System.nanoTime();
      if (now - refreshed > LEASE.toNanos() / 4) {
        lock =
            locks
                .refresh(address, PURPOSE, lock, -1)
                .orElseThrow(() -> new CancellationException("another has taken the lock over"));
        refreshed = now;
      }
    }

    void release() {
      boolean unused = locks.release(address, PURPOSE, lock);
    }
  }
}
