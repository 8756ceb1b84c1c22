// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.Backlog;
import io.tidemark.objects.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runner that hands the events of a namespace to handlers. Any number of runners, in any number of
 * processes, share the work of handlers that have the same id.
 *
 * <p>A runner works in iterations. Each sends a heartbeat, publishes scheduled events, and polls
 * for new events for all handlers at once. Then workers take turns until each handler has no more
 * work or has used its share. Workers claim one event at a time, so that urgent events are next and
 * a busy runner holds no idle claims. A slow handler keeps one worker from the other handlers, but
 * doesn't delay the next iteration.
 *
 * <p>Either {@link #start() start} it and {@link #close() close} it, or call {@link #iterate()} or
 * {@link #drain(Duration)} from a loop of your own; not both at once.
 */
public final class Runner implements AutoCloseable {
  /** Number of idle iterations despite claimable events after which the store is unreachable. */
  private static final int VAIN = 3;

  private final Namespace namespace;
  private final List<HandlerRegistration> handlers;
  private final RunnerOptions options;
  private final MonotonicTime time;
  private final Clock clock;
  private final HandlerScheduler handlerScheduler;
  private final LeaseRenewer leaseRenewer;
  private final RunnerHousekeeping runnerHousekeeping;
  private final WorkerPool workerPool;
  private final Worker worker;

  private final Object iterating = new Object();
  private boolean more; // guarded by iterating
  private DeliveryCounts deliveryCounts = DeliveryCounts.NONE; // guarded by this

  private Runner(
      EventBus bus, String namespace, List<HandlerRegistration> handlers, RunnerOptions options) {
    this.namespace = bus.namespace(namespace);
    this.handlers = List.copyOf(handlers);
    this.options = options;
    this.time = bus.options().time();
    this.clock = bus.store().clock();
    this.handlerScheduler =
        new HandlerScheduler(handlers, options.claimLimit(), options.maxEventsPerIteration());
    this.leaseRenewer = new LeaseRenewer(bus.options().claimLease(), time);
    this.runnerHousekeeping = new RunnerHousekeeping(bus, this.namespace, options);
    int most = handlers.stream().mapToInt(HandlerRegistration::concurrency).sum();
    this.workerPool = new WorkerPool("events-" + namespace, Math.min(options.threads(), most));
    RunnerContext place =
        new RunnerContext(
            this.namespace, options.sessionId(), clock, bus.options().limits().maxChainDepth());
    this.worker = new Worker(place, handlerScheduler, leaseRenewer, this::add);
  }

  /**
   * Creates a runner, which is idle until it is started.
   *
   * @param bus bus of the namespace; the caller closes it, after the runner
   */
  public static Runner of(
      EventBus bus, String namespace, List<HandlerRegistration> handlers, RunnerOptions options) {
    Set<String> ids = new HashSet<>();
    for (HandlerRegistration handler : handlers) {
      if (!ids.add(handler.id())) {
        throw new IllegalArgumentException(
            "two handlers have the id " + handler.id() + "; give each one of its own");
      }
    }
    return new Runner(bus, namespace, handlers, options);
  }

  /** Starts the threads of the runner, which work until it is closed. */
  public void start() {
    if (handlerScheduler.isStopped() || !workerPool.startLeader(this::loop)) {
      throw new IllegalStateException("this runner was started before; make another");
    }
  }

  private void loop() {
    try {
      while (!handlerScheduler.isStopped()) {
        if (begin()) {
          handlerScheduler.awaitNoWork();
        } else {
          handlerScheduler.awaitNext(options.pollInterval());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Runs one iteration and waits until its deliveries are over.
   *
   * @return numbers of deliveries by outcome
   */
  public DeliveryCounts iterate() throws InterruptedException {
    synchronized (iterating) {
      DeliveryCounts before = tally();
      more = begin();
      handlerScheduler.awaitTurnsDone();
      return tally().minus(before);
    }
  }

  /**
   * Iterates until there is nothing to do any more.
   *
   * @param patience maximum total wait for events that can't be claimed yet, as they have failed or
   *     are claimed elsewhere
   * @return the remaining backlog: empty, unless the patience was too short
   */
  public Backlog drain(Duration patience) throws InterruptedException {
    Duration left = patience;
    DeliveryCounts unused = iterate(); // the bus polls for handlers only after their first claim
    int vain = 0;
    while (true) {
      boolean busy = iterateOnce();
      Backlog backlog = backlog();
      if (handlerScheduler.isStopped()) {
        return backlog;
      }
      vain = busy ? 0 : vain + 1;
      if (vain == 0 || (backlog.claimable() > 0 && vain <= VAIN)) {
        continue;
      }
      if (backlog.isEmpty() || left.isZero()) {
        return backlog;
      }
      Duration pause = shorter(left, untilDue(backlog));
      time.pause(pause);
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while draining");
      }
      left = left.minus(pause);
    }
  }

  /** Iterates once; returns whether there was anything to do, or there are more events to find. */
  private boolean iterateOnce() throws InterruptedException {
    synchronized (iterating) {
      return iterate().deliveries() > 0 || more;
    }
  }

  private Duration untilDue(Backlog backlog) {
    Duration due =
        backlog
            .nextDue()
            .map(moment -> Duration.between(clock.instant(), moment))
            .orElse(options.pollInterval());
    Duration least = Duration.ofMillis(1);
    return due.compareTo(least) < 0 ? least : shorter(due, options.pollInterval());
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Returns the total backlog of its handlers, as far as it is known. */
  public Backlog backlog() {
    long claimable = 0;
    long waiting = 0;
    Optional<Instant> due = Optional.empty();
    for (HandlerRegistration handler : handlers) {
      Backlog one = namespace.backlog(handler.id());
      claimable += one.claimable();
      waiting += one.waiting();
      Optional<Instant> before = due;
      due =
          one.nextDue()
              .map(moment -> before.filter(other -> other.isBefore(moment)).orElse(moment))
              .or(() -> before);
    }
    return new Backlog(claimable, waiting, due);
  }

  /** Returns the numbers of all deliveries since the runner was created. */
  public synchronized DeliveryCounts tally() {
    return deliveryCounts;
  }

  private synchronized void add(DeliveryCounts more) {
    deliveryCounts = deliveryCounts.plus(more);
  }

  /** Renews the leases that are due; called by a thread of its own. */
  int renewDue() {
    return leaseRenewer.renewDue();
  }

  /** Begins an iteration; returns whether there are more events to find than the poll read. */
  private boolean begin() {
    if (!handlerScheduler.isStopped()) {
      workerPool.startWorkers(worker, leaseRenewer);
    }
    boolean left = runnerHousekeeping.run();
    handlerScheduler.beginIteration();
    return left;
  }

  /** Stops claiming. Deliveries under way go on; {@link #close()} waits for them. */
  public void stop() {
    handlerScheduler.stop();
  }

  /**
   * Stops, waits for handlers that are at work, and interrupts them after the grace period, which
   * counts as a failure of theirs. Leaves the bus open.
   */
  @Override
  public void close() {
    stop();
    workerPool.end(options.grace());
  }
}
