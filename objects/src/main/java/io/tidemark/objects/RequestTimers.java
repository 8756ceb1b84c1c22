// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Executor of the timers of requests and of questions: thousands a second, nearly all of which are
 * cancelled long before their time. It has one thread for the whole process and is never closed;
 * its tasks must not block.
 *
 * <p>A usual executor keeps a cancelled timer until its time has come, and then wakes a thread for
 * it. Here it goes at once. But then the next one is often the first in line, for which a thread is
 * woken as well; so while there are requests, a beat of its own is always first.
 */
public final class RequestTimers extends ScheduledThreadPoolExecutor {

  private static final long BEAT_MILLIS = 500;
  private static final RequestTimers SHARED = new RequestTimers();

  private final AtomicBoolean beating = new AtomicBoolean();
  private volatile boolean used;

  private RequestTimers() {
    super(
        1,
        task -> {
          Thread thread = new Thread(task, "tidemark-timers");
          thread.setDaemon(true);
          return thread;
        });
    setRemoveOnCancelPolicy(true);
  }

  /** Returns the timers of this process. */
  public static RequestTimers shared() {
    return SHARED;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    used = true;
    if (!beating.get() && beating.compareAndSet(false, true)) {
      scheduleTick();
    }
    return super.schedule(task, delay, unit);
  }

  private void tick() {
    if (used) {
      used = false;
      scheduleTick();
    } else {
      beating.set(false); // at worst a thread is woken in vain until the next request
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it is never cancelled
  private void scheduleTick() {
    super.schedule(this::tick, BEAT_MILLIS, TimeUnit.MILLISECONDS);
  }
}
