// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers.awssdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

class MemoryBucketTest {

  private final List<String> winners = new CopyOnWriteArrayList<>();
  private final Thread second = new Thread(() -> replaceStart("second"));
  private final AtomicBoolean overtake = new AtomicBoolean();
  private final MemoryBucket bucket = new MemoryBucket("b", new Overtaking());

  @Test
  void nobodyWritesBetweenTheLookAndTheWriteOfAnother() throws InterruptedException {
    bucket.put("k", object("start"), null, null);
    overtake.set(true);

    replaceStart("first");
    second.join();
    assertThat(winners).containsExactly("first");
  }

  private void replaceStart(String writer) {
    try {
      bucket.put("k", object(writer), object("start").etag(), null);
      winners.add(writer);
    } catch (S3Exception e) {
      assertThat(e.statusCode()).isEqualTo(412);
    }
  }

  private static MemoryObject object(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new MemoryObject(
        GetObjectResponse.builder().eTag(MemoryObject.etagOf(bytes)).build(), bytes);
  }

  /** Asked by the first writer after its look, lets the second write, if it can. */
  private final class Overtaking implements BucketBehavior {
    @Override
    public boolean judgesWrites() {
      if (overtake.getAndSet(false)) {
        second.start();
        while (second.getState() != Thread.State.BLOCKED && second.isAlive()) {
          Thread.onSpinWait();
        }
      }
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
