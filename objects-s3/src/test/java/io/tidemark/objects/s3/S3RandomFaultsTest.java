// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoredObject;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.BucketFaults;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import io.tidemark.testkit.servers.ServerFault;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store on a server that fails every fourth request, in every way a write can fail. */
@ExtendWith(ServerExtension.class)
class S3RandomFaultsTest {

  private static final int THREADS = 6;
  private static final int TIMES = 30;

  private final AtomicInteger written = new AtomicInteger();
  private final AtomicInteger unknown = new AtomicInteger();

  @Test
  void whatIsSaidToBeWrittenIsAndWhatIsSaidToBeLostIsnt(S3Server server) throws Exception {
    Seed seed = Seed.of("S3RandomFaultsTest");
    S3Bucket bucket = server.createBucket();
    try (ObjectStore store = new ObjectStore(TestStore.open(bucket), Retry.standard())) {
      store.put("counter", Body.of("0"), Condition.ifAbsent());
      bucket
          .faults()
          .random(
              request -> true,
              new BucketFaults.Chance(
                  seed.value(),
                  0.25,
                  List.of(
                      ServerFault.LOSE_RESPONSE,
                      ServerFault.FAIL_BEFORE,
                      ServerFault.CONFLICT,
                      ServerFault.TOO_MANY_REQUESTS,
                      ServerFault.SLOW_DOWN,
                      ServerFault.INTERNAL_ERROR,
                      ServerFault.INTERNAL_ERROR_AFTER_APPLYING)));
      count(store);
      bucket.faults().clear();

      assertThat(value(store.get("counter").orElseThrow()))
          .as("%s", seed)
          .isBetween(written.get(), written.get() + unknown.get());
    }
  }

  private void count(ObjectStore store) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> counters = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      counters.add(
          threads.submit(
              () -> {
                for (int n = 0; n < TIMES; n++) {
                  increment(store);
                }
              }));
    }
    for (Future<?> counter : counters) {
      counter.get();
    }
    threads.shutdown();
  }

  private void increment(ObjectStore store) {
    StoredObject current = store.get("counter").orElseThrow();
    // Unique, or two writers of the same number would write the same version.
    String next = value(current) + 1 + " " + UUID.randomUUID();
    try {
      if (store.put("counter", Body.of(next), Condition.ifMatch(current.etag())).written()) {
        written.incrementAndGet();
      }
    } catch (OutcomeUnknownException e) {
      unknown.incrementAndGet();
    }
  }

  private static int value(StoredObject counter) {
    return Integer.parseInt(counter.text().replaceFirst(" .*", ""));
  }
}
