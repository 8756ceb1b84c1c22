// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.Delivery;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renewer of leases while handlers are at work. Each lease is renewed when a third of it has
 * passed. So two renewals may fail, and clocks may differ by a third of a lease, before another
 * session takes the event.
 */
final class LeaseRenewer {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewer.class);
  private static final int LOOKS_A_THIRD = 4;

  private final long third;
  private final MonotonicTime time;
  private final Set<ManagedLease> holds = ConcurrentHashMap.newKeySet();

  LeaseRenewer(Duration lease, MonotonicTime time) {
    this.third = lease.dividedBy(3).toNanos();
    this.time = time;
  }

  /** Returns how often to call {@link #renewDue()}. */
  Duration interval() {
    return Duration.ofNanos(Math.max(1, third / LOOKS_A_THIRD));
  }

  /** Renews the lease of a delivery until the returned lease is closed. */
  ManagedLease keepRenewing(Delivery delivery) {
    ManagedLease managedLease = new ManagedLease(delivery, time.nanos());
    holds.add(managedLease);
    return managedLease;
  }

  /** Renews the leases that are due; returns their number. */
  int renewDue() {
    int renewed = 0;
    for (ManagedLease managedLease : holds) {
      if (time.nanos() - managedLease.since >= third && managedLease.renew()) {
        renewed++;
      }
    }
    return renewed;
  }

  /** Lease that is renewed until it is closed. */
  final class ManagedLease implements AutoCloseable {
    private final Delivery delivery;
    private volatile long since;
    private volatile boolean lost;

    private ManagedLease(Delivery delivery, long since) {
      this.delivery = delivery;
      this.since = since;
    }

    /** Returns whether another session has the event, as far as is known. */
    boolean isLost() {
      return lost;
    }

    private boolean renew() {
      long asked = time.nanos();
      try {
        if (delivery.renew().settled()) {
          since = asked;
          return true;
        }
        close();
        lost = true;
        LOG.warn(
            "{} has lost event {}: its lease had run out, and somebody else has claimed it",
            delivery.handlerId(),
            delivery.event().id());
      } catch (TidemarkException e) {
        LOG.warn(
            "the lease of {} on event {} isn't renewed yet: {}",
            delivery.handlerId(),
            delivery.event().id(),
            e.getMessage());
      }
      return false;
    }

    @Override
    public void close() {
      holds.remove(this);
    }
  }
}
