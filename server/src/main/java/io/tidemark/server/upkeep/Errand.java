// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.ledger.IndexCare.Depth;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Leftovers;
import io.tidemark.ledger.Leftovers.Leftover;
import io.tidemark.ledger.RewoundHeadException;
import io.tidemark.ledger.internal.compact.Extent;
import io.tidemark.ledger.internal.compact.Superseded.Old;
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

/** One look at one ledger, and what it takes to put it right. */
final class Errand {

  private static final Logger LOG = LoggerFactory.getLogger(Errand.class);
  private static final Duration LEASE = Duration.ofMinutes(2);
  private static final Purpose PURPOSE = Purpose.MAINTENANCE;

  private final SoftLocks locks;
  private final String holder;
  private final Rhythm rhythm;
  private final BooleanSupplier stopped;

  private final LongSupplier clock;
  private final Searches searches;

  /** Those with something to repair that nobody has repaired since; others ask how many. */
  private final Set<Address> behind = ConcurrentHashMap.newKeySet();

  /**
   * As the given holder.
   *
   * @param clock nanoseconds
   */
  Errand(
      NameService names,
      String holder,
      Rhythm rhythm,
      LongSupplier clock,
      BooleanSupplier stopped) {
    this.locks = new SoftLocks(names, Clock.systemUTC(), LEASE);
    this.holder = holder;
    this.rhythm = rhythm;
    this.clock = clock;
    this.searches = new Searches(rhythm, new SplittableRandom());
    this.stopped = stopped;
  }

  /** What a look has found to do. */
  private record Findings(
      boolean repair, boolean compact, List<Leftover> leftovers, List<Old> superseded) {
    boolean isEmpty() {
      return !repair && !compact && leftovers.isEmpty() && superseded.isEmpty();
    }
  }

  /**
   * Looks, and does what is to be done unless another does.
   *
   * @return until when another has taken it upon itself; empty when there is nothing left to do
   * @throws CancellationException when it was stopped, or the lock was lost
   */
  Optional<Instant> run(Address address, Ledger ledger) {
    Findings found = look(address, ledger);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    SoftLocks.Acquisition acquisition =
        locks.acquire(address, PURPOSE, holder, OptionalLong.empty());
    if (acquisition instanceof SoftLocks.HeldBy other) {
      LOG.debug("{} is being looked after by {}", address, other.lock().holder());
      return Optional.of(Instant.ofEpochSecond(other.lock().expiresAt()));
    }
    Held held = new Held(address, ((SoftLocks.Acquired) acquisition).lock());
    try {
      act(address, ledger, found, held);
    } finally {
      held.release();
    }
    return Optional.empty();
  }

  private Findings look(Address address, Ledger ledger) {
    boolean repair = isBehind(address, ledger);
    boolean compact = !ledger.compaction().plan(Extent.FULL_TIERS).merges().isEmpty();
    boolean collect = hasSearches(address) && searches.begin(address, clock.getAsLong());
    return new Findings(
        repair,
        compact,
        collect ? leftovers(address, ledger) : List.of(),
        collect ? ledger.superseded().find(rhythm.safeAge()) : List.of());
  }

  /** What is wrong with one branch doesn't keep the others from being looked after. */
  private List<Leftover> leftovers(Address address, Ledger ledger) {
    try {
      return ledger.leftovers().find(rhythm.safeAge());
    } catch (RewoundHeadException e) {
      LOG.warn("nothing is collected of {}: {}", address, e.getMessage());
      return List.of();
    }
  }

  private boolean isBehind(Address address, Ledger ledger) {
    try {
      ledger.indices().requireNotRewound(); // a repair would have the name forget it
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

  int behind() {
    return behind.size();
  }

  /** Whatever is left over is found from main, of all branches. */
  private static boolean hasSearches(Address address) {
    return address.branch().equals(Address.MAIN);
  }

  /** When a ledger is to be searched again for what nobody needs, if it is. */
  OptionalLong nextSearch(Address address) {
    return hasSearches(address)
        ? OptionalLong.of(searches.next(address, clock.getAsLong()))
        : OptionalLong.empty();
  }

  /** It isn't looked after any more. */
  void forget(Address address) {
    searches.forget(address);
    behind.remove(address);
  }

  private void act(Address address, Ledger ledger, Findings found, Held held) {
    if (found.repair()) {
      ledger.indices().repair(Depth.NEWEST);
      behind.remove(address);
      LOG.info("repaired the indices of {}", address);
    }
    if (found.compact()) {
      int merges =
          ledger
              .compaction()
              .run(ledger.compaction().plan(Extent.FULL_TIERS), (merge, rows) -> held.requireHeld())
              .size();
      LOG.info("compacted {}: {} merges", address, merges);
    }
    Leftovers leftovers = ledger.leftovers();
    for (Leftover leftover : found.leftovers()) {
      held.requireHeld();
      leftovers.delete(leftover);
    }
    for (Old old : found.superseded()) {
      held.requireHeld();
      ledger.superseded().delete(old);
    }
    int deleted = found.leftovers().size() + found.superseded().size();
    if (deleted > 0) {
      LOG.info("deleted {} that nobody needs of {}", deleted, address);
    }
  }

  /** A lock that is refreshed while there is work, and given back after it. */
  private final class Held {

    private final Address address;
    private Lock lock;
    private long refreshed = System.nanoTime();

    Held(Address address, Lock lock) {
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
