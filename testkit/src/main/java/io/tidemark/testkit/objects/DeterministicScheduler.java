// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;

/**
 * Runs actors in turns: they are threads, but only one runs at a time, and whenever it calls {@link
 * #yieldTurn()} a generator decides who goes on. So one seed means one interleaving, to be seen
 * again as often as one likes. {@link ScheduledBackend} passes the turn before each request.
 */
public final class DeterministicScheduler {
  private final RandomGenerator random;
  private final List<Actor> alive = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  public DeterministicScheduler(RandomGenerator random) {
    this.random = random;
  }

  /** Runs all actors to their end; fails if one of them does. */
  public void run(List<? extends Runnable> actors) throws InterruptedException {
    actors.forEach(work -> alive.add(new Actor(work)));
    List<Actor> all = List.copyOf(alive);
    all.forEach(Thread::start);
    scheduleNext();
    for (Actor actor : all) {
      actor.join();
    }
    if (!failures.isEmpty()) {
      AssertionError failed = new AssertionError("an actor failed: " + failures.get(0));
      failures.forEach(failed::addSuppressed);
      throw failed;
    }
  }

  /**
   * Lets another actor go on, or the same one; returns when it is the caller's turn again. Does
   * nothing for a thread that is no actor.
   */
  public void yieldTurn() {
    if (Thread.currentThread() instanceof Actor me) {
      scheduleNext();
      me.turn.acquireUninterruptibly();
    }
  }

  /** Called by whoever has the turn, so that nothing here needs a lock. */
  private void scheduleNext() {
    if (!alive.isEmpty()) {
      alive.get(random.nextInt(alive.size())).turn.release();
    }
  }

  private final class Actor extends Thread {
    private final Runnable work;
    private final Semaphore turn = new Semaphore(0);

    Actor(Runnable work) {
      super("actor");
      this.work = work;
    }

    @Override
    public void run() {
      turn.acquireUninterruptibly();
      try {
        work.run();
      } catch (Throwable e) {
        failures.add(e);
      } finally {
        alive.remove(this);
        scheduleNext();
      }
    }
  }
}
