// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.NameBackend;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.names.LinearizabilityChecker;
import io.tidemark.testkit.names.OperationHistory;
import io.tidemark.testkit.names.RandomNamesWorkload;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.servers.BucketFaults;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import io.tidemark.testkit.servers.ServerFault;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names on a server that fails every eighth request, in every way any request can fail. */
@ExtendWith(ServerExtension.class)
class S3NamesRandomFaultsTest {

  private static final int THREADS = 4;
  private static final int OPERATIONS = Boolean.getBoolean("soak") ? 20_000 : 1_000;
  private static final double PROBABILITY = 0.125;

  private static final List<ServerFault> FAULTS =
      List.of(
          ServerFault.LOSE_RESPONSE,
          ServerFault.FAIL_BEFORE,
          ServerFault.CONFLICT,
          ServerFault.TOO_MANY_REQUESTS,
          ServerFault.SLOW_DOWN,
          ServerFault.INTERNAL_ERROR,
          ServerFault.INTERNAL_ERROR_AFTER_APPLYING);

  @ParameterizedTest
  @EnumSource
  void everyHistoryHasAnOrderWhateverTheServerAnswers_names5_15(
      DocumentLayout documentLayout, S3Server server) throws Exception {
    Seed seed = Seed.of("S3NamesRandomFaultsTest(" + documentLayout + ")");
    S3Bucket bucket = server.createBucket();
    try (NameBackend calm = open(bucket, documentLayout, Retry.standard());
        NameBackend first = open(bucket, documentLayout, FakeTime.retry(1));
        NameBackend second = open(bucket, documentLayout, FakeTime.retry(3))) {
      bucket
          .faults()
          .random(
              request -> request.key().contains("/ns@v2/"),
              new BucketFaults.Chance(seed.value(), PROBABILITY, FAULTS));
      RandomNamesWorkload random =
          new RandomNamesWorkload(calm, List.of(first, second), seed, THREADS, OPERATIONS);
      OperationHistory operationHistory = random.run(bucket.faults()::clear);

      LinearizabilityChecker.check(operationHistory, RandomNamesWorkload::initial)
          .ifPresent(
              violation -> {
                throw new AssertionError(seed + ": " + violation);
              });
      assertThat(
              operationHistory.operations().stream()
                  .filter(OperationHistory.Operation::isUnknown)
                  .count())
          .as("outcomes that stayed unknown, %s", seed)
          .isPositive();
    }
  }

  private static NameBackend open(S3Bucket bucket, DocumentLayout documentLayout, Retry inStore) {
    ObjectStore store = new ObjectStore(TestStore.open(bucket), inStore);
    return new ObjectNameBackend(store, documentLayout, FakeTime.retry(40), Clock.systemUTC());
  }
}
