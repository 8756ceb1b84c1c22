// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.named.NamedBranches;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.RecordKind;
import io.tidemark.names.RetractedException;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.names.watch.Watch;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.ledgers.AllowedLedgerLocations;
import io.tidemark.server.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintainer of all ledgers of a nameservice: repairs stale indices, compacts and collects garbage.
 * It follows updates of heads, and periodically sweeps all ledgers for those whose updates it
 * missed.
 *
 * <p>Several maintainers may serve the same ledgers. Each inspects without coordination but works
 * under the soft lock of the ledger, so the others see the holder and skip the ledger. All work is
 * safe without the lock, which only avoids duplicate work.
 */
public final class LedgerMaintainer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerMaintainer.class);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final Duration AFTER_TROUBLE = Duration.ofMinutes(5);
  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  private final NameService names;
  private final NamedLedgers ledgers;
  private final MaintenanceRun maintenanceRun;
  private final LedgerOptions options;
  private final MaintenanceSchedule maintenanceSchedule;
  private final Watch watch;
  private final Thread thread;

  /** Confined to the maintainer's thread. */
  private final MaintenanceQueue due = new MaintenanceQueue();

  private final long started = System.nanoTime();
  private volatile boolean closed;

  private LedgerMaintainer(
      NameService names,
      NameFeed feed,
      LedgerOptions options,
      AllowedLedgerLocations places,
      String holder,
      MaintenanceSchedule maintenanceSchedule) {
    this.names = names;
    this.ledgers = new NamedLedgers(names, places);
    this.options = options;
    this.maintenanceSchedule = maintenanceSchedule;
    this.maintenanceRun =
        new MaintenanceRun(names, holder, maintenanceSchedule, this::now, () -> closed);
    this.watch = feed.watch(WatchFilter.all().ofKind(RecordKind.LEDGER));
    this.thread = new Thread(this::run, "tidemark-caretaker");
    thread.setDaemon(true);
  }

  /**
   * Starts a maintainer.
   *
   * @param feed source of updated ledgers; isn't closed with the maintainer
   * @param options options with which ledgers are opened
   * @param places allowed locations of ledgers; others are skipped
   * @param holder name of this process in locks
   */
  public static LedgerMaintainer start(
      NameService names,
      NameFeed feed,
      LedgerOptions options,
      AllowedLedgerLocations places,
      String holder,
      MaintenanceSchedule maintenanceSchedule) {
    LedgerMaintainer ledgerMaintainer =
        new LedgerMaintainer(names, feed, options, places, holder, maintenanceSchedule);
    ledgerMaintainer.thread.start();
    return ledgerMaintainer;
  }

  private void run() {
    while (!closed) {
      try {
        watch.next(untilNext()).ifPresent(this::onEvent);
        due.due(now()).ifPresent(this::maintain);
      } catch (InterruptedException e) {
        return;
      } catch (TidemarkException e) {
        LOG.warn("can't hear which ledgers have moved, and go on: {}", e.getMessage());
      } catch (RuntimeException | Error e) {
        LOG.error("looking after ledgers failed, and goes on", e);
      }
    }
  }

  private long now() {
    return System.nanoTime() - started;
  }

  private Duration untilNext() {
    long longest = LONGEST_WAIT.toNanos();
    long now = now();
    return Duration.ofNanos(Math.max(0, Math.min(due.next().orElse(now + longest) - now, longest)));
  }

  private void onEvent(NameEvent event) {
    switch (event.type()) {
      case PURGED, RETRACTED, UNREADABLE -> {
        due.remove(event.address());
        maintenanceRun.forget(event.address());
      }
      case APPEARED, MOVED, RESTORED ->
          // Counted from the first update, or a ledger that is updated constantly would never be
          // due.
          due.noLaterThan(event.address(), now() + maintenanceSchedule.after().toNanos());
    }
  }

  /** Returns the number of ledgers that were behind their commits at the last inspection. */
  int laggingLedgers() {
    return maintenanceRun.laggingLedgers();
  }

  private void maintain(Address address) {
    due.put(address, now() + jittered(maintenanceSchedule.sweep()));
    try {
      finishDrops(address);
    } catch (TidemarkException e) {
      LOG.warn("drops of branches of {} can't be finished: {}", address, e.getMessage());
    }
    try (NamedLedgers.OpenLedger openLedger = ledgers.open(address, options)) {
      Optional<Instant> busy = maintenanceRun.run(address, openLedger.ledger());
      maintenanceRun.nextGarbageScan(address).ifPresent(at -> due.noLaterThan(address, at));
      busy.ifPresent(until -> scheduleAfterExpiry(address, until));
    } catch (UninitializedLedgerException
        | NotFoundException
        | RetractedException
        | InvalidLocationException
        | ProblemException e) { // its location isn't allowed
      LOG.debug("{} is no ledger to look after: {}", address, e.getMessage());
    } catch (CancellationException e) {
      LOG.debug("looking after {} was given up: {}", address, e.getMessage());
    } catch (TidemarkException e) {
      LOG.warn("looking after {} failed, and will be tried again: {}", address, e.getMessage());
      due.put(address, now() + jittered(AFTER_TROUBLE));
    } catch (RuntimeException e) {
      LOG.error("looking after {} failed, and will be tried again", address, e);
      due.put(address, now() + jittered(AFTER_TROUBLE));
    }
  }

  /** Finishes interrupted drops of branches, which are found from the root branch. */
  private void finishDrops(Address address) {
    boolean isRoot = names.find(address).filter(r -> r.meta().sourceBranch().isEmpty()).isPresent();
    if (isRoot) {
      List<Address> gone = new NamedBranches(ledgers, options).finishDrops(address);
      if (!gone.isEmpty()) {
        LOG.info("finished dropping {}", gone);
      }
    }
  }

  /**
   * Schedules an inspection after another holder's lock has expired, since that holder may have
   * died.
   */
  private void scheduleAfterExpiry(Address address, Instant expiry) {
    long left = Duration.between(Instant.now(), expiry).toMillis() + 1000;
    long wait = Math.max(0, Math.min(left, maintenanceSchedule.sweep().toMillis()));
    due.put(address, now() + jittered(Duration.ofMillis(wait)));
  }

  /** Returns a time with jitter, so that several maintainers don't stay in lockstep. */
  private static long jittered(Duration time) {
    long nanos = time.toNanos();
    return nanos + ThreadLocalRandom.current().nextLong(nanos / 10 + 1);
  }

  /** Stops the work in progress, which is safe, and releases locks. */
  @Override
  public void close() {
    closed = true;
    watch.close();
    try {
      thread.join(LAST_WORDS.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
