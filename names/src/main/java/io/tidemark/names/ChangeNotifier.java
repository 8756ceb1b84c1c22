// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifier that tells other processes what moved: writes it into the {@link ChangeMarker}, in the
 * background, many changes at once when they come fast. A change never waits for it nor fails
 * because of it.
 */
final class ChangeNotifier implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ChangeNotifier.class);
  private static final int IDLE_SECONDS = 5;

  private final ChangeMarker changeMarker;
  private final Retry retry;
  private final Duration gap;
  private final Set<Address> pending = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor executor;

  /** Last state of the marker known to this process: its version, and the log in it. */
  private record MarkerState(Optional<String> version, ChangeLog log) {}

  private Optional<MarkerState> last = Optional.empty();
  private volatile long quietUntilNanos = System.nanoTime();

  /**
   * Writes at most once in the given time.
   *
   * @param retry how long to go on when other processes write at the same time
   */
  ChangeNotifier(ChangeMarker changeMarker, Retry retry, Duration gap) {
    this.changeMarker = changeMarker;
    this.retry = retry;
    this.gap = gap;
    this.executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "names-announcer");
              thread.setDaemon(true);
              return thread;
            });
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    // Closing writes down what is left itself, and what comes later is left to surveys.
    executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  void notifyChanged(Address address) {
    pending.add(address);
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      long delay = Math.max(0, quietUntilNanos - System.nanoTime());
      Future<?> unused = executor.schedule(this::flush, delay, TimeUnit.NANOSECONDS);
    }
  }

  private void flush() {
    quietUntilNanos = System.nanoTime() + gap.toNanos();
    scheduled.set(false);
    write();
  }

  /**
   * Writes pending changes to the marker. A failed write is retried with the next change; until
   * then surveys find the changes.
   */
  private synchronized void write() {
    Set<Address> taken = Set.copyOf(pending);
    if (taken.isEmpty()) {
      return;
    }
    pending.removeAll(taken);
    try {
      append(taken);
    } catch (RuntimeException e) { // whatever it is, no change may fail because of it
      pending.addAll(taken);
      LOG.warn("can't tell others what moved, they will find out later: {}", e.toString());
    }
  }

  private void append(Set<Address> addresses) {
    Retry.Backoff backoff = retry.start();
    do {
      MarkerState before = last.orElseGet(this::read);
      last = replace(before.version(), before.log().with(addresses));
      if (last.isPresent()) {
        return;
      }
    } while (backoff.pause());
    throw new ContentionException("the marker of changes is being written by others all the time");
  }

  private MarkerState read() {
    if (changeMarker.read(Optional.empty()) instanceof ChangeMarker.Current current) {
      ChangeLog log = ChangeLog.parse(current.text()).orElseGet(ChangeLog::begin);
      return new MarkerState(Optional.of(current.version()), log);
    }
    return new MarkerState(Optional.empty(), ChangeLog.begin());
  }

  /** Replaces the marker; empty when another process has written it meanwhile. */
  private Optional<MarkerState> replace(Optional<String> version, ChangeLog log) {
    last = Optional.empty(); // unless it is answered
    try {
      return changeMarker
          .write(version, log.toJson())
          .map(next -> new MarkerState(Optional.of(next), log));
    } catch (OutcomeUnknownException e) {
      return Optional.empty(); // to name an address twice does no harm
    }
  }

  @Override
  public void close() {
    executor.shutdown();
    write();
  }
}
