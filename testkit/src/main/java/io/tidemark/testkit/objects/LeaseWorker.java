// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.lease.LeaseLock;
import io.tidemark.objects.lease.LeaseLock.Acquired;
import io.tidemark.testkit.process.ParentLink;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process that takes a lease, keeps it alive, says who it is, and never gives it back. */
public final class LeaseWorker {

  private LeaseWorker() {}

  /** Takes the location of the store, the key of the lock and the lease's milliseconds. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ParentLink parent = new ParentLink();
    ObjectStore store = ObjectStore.open(arguments[0]); // never closed: this process is killed
    Duration ttl = Duration.ofMillis(Long.parseLong(arguments[2]));
    parent.awaitStart();
    LeaseLock lock = new LeaseLock(store, arguments[1], ttl);
    if (!(lock.acquire("worker", ttl.multipliedBy(10)) instanceof Acquired acquired)) {
      throw new IllegalStateException("the lock isn't to be had");
    }
    parent.printLine(acquired.lease().keepAlive().ownerId());
    new CountDownLatch(1).await();
  }
}
