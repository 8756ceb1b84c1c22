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
 * Looks after every ledger of a nameservice: repairs indices that writers left behind, compacts,
 * deletes what nobody needs. It hears of heads that move, and goes round all ledgers now and then
 * for those of which nobody told it.
 *
 * <p>Any number of them may look after the same ledgers. Each looks without asking anybody; what is
 * to be done is done under the soft lock of the ledger, so the others see who is at it and leave it
 * alone. All of it is safe without the lock, which only saves work.
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

  /** Its own thread's. */
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
   * Starts looking after ledgers.
   *
   * @param feed tells which have moved; isn't closed with this
   * @param options how ledgers are opened
   * @param places where they may be to be looked after
   * @param holder how locks name this process
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
          // From the first move on, or one that moves all the time would never be looked at.
          due.noLaterThan(event.address(), now() + maintenanceSchedule.after().toNanos());
    }
  }

  /** How many ledgers are behind their commits, as they were last looked at. */
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
        | ProblemException e) { // it is in a place that isn't served
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

  /** Drops of branches that a process didn't bring to their end are found from the root. */
  private void finishDrops(Address address) {
    boolean isRoot = names.find(address).filter(r -> r.meta().sourceBranch().isEmpty()).isPresent();
    if (isRoot) {
      List<Address> gone = new NamedBranches(ledgers, options).finishDrops(address);
      if (!gone.isEmpty()) {
        LOG.info("finished dropping {}", gone);
      }
    }
  }

  /** When the lock of another has run out, whom nobody can tell from one that has died. */
  private void scheduleAfterExpiry(Address address, Instant expiry) {
    long left = Duration.between(Instant.now(), expiry).toMillis() + 1000;
    long wait = Math.max(0, Math.min(left, maintenanceSchedule.sweep().toMillis()));
    due.put(address, now() + jittered(Duration.ofMillis(wait)));
  }

  /** So that several caretakers don't come at the same time for ever. */
  private static long jittered(Duration time) {
    long nanos = time.toNanos();
    return nanos + ThreadLocalRandom.current().nextLong(nanos / 10 + 1);
  }

  /** Gives up what is under way, which harms nothing, and gives locks back. */
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
