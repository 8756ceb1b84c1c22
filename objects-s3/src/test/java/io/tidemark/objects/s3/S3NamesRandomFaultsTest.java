// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.NameBackend;
import io.tidemark.names.objects.Layout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.names.History;
import io.tidemark.testkit.names.LinearizabilityChecker;
import io.tidemark.testkit.names.RandomNames;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.servers.Fault;
import io.tidemark.testkit.servers.Faults;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.Servers;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names on a server that fails every eighth request, in every way any request can fail. */
@ExtendWith(Servers.class)
class S3NamesRandomFaultsTest {

  private static final int THREADS = 4;
  private static final int OPERATIONS = Boolean.getBoolean("soak") ? 20_000 : 1_000;
  private static final double PROBABILITY = 0.125;

  private static final List<Fault> FAULTS =
      List.of(
          Fault.LOSE_RESPONSE,
          Fault.FAIL_BEFORE,
          Fault.CONFLICT,
          Fault.TOO_MANY_REQUESTS,
          Fault.SLOW_DOWN,
          Fault.INTERNAL_ERROR,
          Fault.INTERNAL_ERROR_AFTER_APPLYING);

  @ParameterizedTest
  @EnumSource
  void everyHistoryHasAnOrderWhateverTheServerAnswers_names5_15(Layout layout, S3Server server)
      throws Exception {
    Seed seed = Seed.of("S3NamesRandomFaultsTest(" + layout + ")");
    S3Bucket bucket = server.createBucket();
    try (NameBackend calm = open(bucket, layout, Retry.standard());
        NameBackend first = open(bucket, layout, FakeTime.retry(1));
        NameBackend second = open(bucket, layout, FakeTime.retry(3))) {
      bucket
          .faults()
          .random(
              request -> request.key().contains("/ns@v2/"),
              new Faults.Chance(seed.value(), PROBABILITY, FAULTS));
      RandomNames random = new RandomNames(calm, List.of(first, second), seed, THREADS, OPERATIONS);
      History history = random.run(bucket.faults()::clear);

      LinearizabilityChecker.check(history, RandomNames::initial)
          .ifPresent(
              violation -> {
                throw new AssertionError(seed + ": " + violation);
              });
      assertThat(history.operations().stream().filter(History.Operation::isUnknown).count())
          .as("outcomes that stayed unknown, %s", seed)
          .isPositive();
    }
  }

  private static NameBackend open(S3Bucket bucket, Layout layout, Retry inStore) {
    ObjectStore store = new ObjectStore(TestStore.open(bucket), inStore);
    return new ObjectNameBackend(store, layout, FakeTime.retry(40), Clock.systemUTC());
  }
}
