// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers.awssdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

class StoredBucketTest {

  private static final int WRITERS = 2;
  private static final int ROUNDS = 20_000;

  private final StoredBucket bucket = new StoredBucket("b", new Strict());

  @Test
  void ofWritersThatMeetAtTheSameVersionOneWins() throws Exception {
    bucket.put("k", object("start"), null, null);
    AtomicInteger wins = new AtomicInteger();
    AtomicInteger arrivals = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        String writer = " by " + i;
        writers.add(
            pool.submit(
                () -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    String seen = Objects.requireNonNull(bucket.find("k")).etag();
                    StoredObject mine = object(round + writer);
                    meet(arrivals);
                    wins.addAndGet(won(mine, seen));
                    meet(arrivals);
                  }
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(wins).hasValue(ROUNDS);
  }

  /** Spins, because writers that are woken one by one would never meet. */
  private static void meet(AtomicInteger arrivals) {
    int everyone = (arrivals.getAndIncrement() / WRITERS + 1) * WRITERS;
    while (arrivals.get() < everyone) {
      Thread.onSpinWait();
    }
  }

  private int won(StoredObject mine, String seen) {
    try {
      bucket.put("k", mine, seen, null);
      return 1;
    } catch (S3Exception e) {
      assertThat(e.statusCode()).isEqualTo(412);
      return 0;
    }
  }

  private static StoredObject object(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new StoredObject(
        GetObjectResponse.builder().eTag(StoredObject.etagOf(bytes)).build(), bytes);
  }

  private static final class Strict implements BucketTraits {
    @Override
    public boolean judgesWrites() {
      return true;
    }

    @Override
    public boolean judgesDeletes() {
      return true;
    }

    @Override
    public int pageLimit() {
      return Integer.MAX_VALUE;
    }

    @Override
    public Clock clock() {
      return Clock.systemUTC();
    }
  }
}
