// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.testkit.names.RandomClient;
import io.tidemark.testkit.names.RemoteHistory;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultMix;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.process.ParentLink;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * A process that changes names at random without end, through faults of its own, and tells the
 * history of it.
 */
final class RandomWorker {
  static final int THREADS = 2;

  private static final double FAULTS = 0.08;
  private static final double DELAYS = 0.01;
  private static final int LONGEST_DELAY_NANOS = 2_000_000;

  private RandomWorker() {}

  /** Takes the place, a number that no other process has, and the seed. */
  public static void main(String[] arguments) throws Exception {
    DirectoryFixture place = DirectoryFixture.parse(arguments);
    int number = Integer.parseInt(arguments[2]);
    SplittableRandom seeds = new SplittableRandom(Long.parseLong(arguments[3]));
    ParentLink parent = new ParentLink();
    RemoteHistory.Reporter reporter = new RemoteHistory.Reporter(parent::printLine);
    FaultMix mix = FaultMix.everything(FAULTS).with(DELAYS, RandomWorker::delay);
    FaultyBackend faulty = new FaultyBackend(place.objects(), seeds.split(), mix);
    parent.awaitStart();
    for (int i = 0; i < THREADS; i++) {
      ObjectNameBackend backend =
          place.backend(faulty, FakeTime.retry(1 + i), FakeTime.retry(40)); // never closed
      RandomClient client =
          new RandomClient(number * THREADS + i, backend, seeds.split(), reporter);
      new Thread(() -> work(client), "client-" + i).start();
    }
  }

  private static BackendFault delay(RandomGenerator random) {
    long nanos = random.nextInt(LONGEST_DELAY_NANOS);
    return BackendFault.runBefore(() -> LockSupport.parkNanos(nanos));
  }

  private static void work(RandomClient client) {
    try {
      while (true) {
        client.step();
      }
    } catch (RuntimeException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }
}
