// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.NameBackend;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.names.LinearizabilityChecker;
import io.tidemark.testkit.names.OperationHistory;
import io.tidemark.testkit.names.RandomNamesWorkload;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultMix;
import io.tidemark.testkit.objects.FaultyBackend;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests and answers get lost, come late or are refused, and still every history has an order: no
 * push that was acknowledged is lost, none that was refused takes place.
 */
class FaultyNamesTest {
  private static final int RUNS = Boolean.getBoolean("soak") ? 300 : 12;
  private static final int THREADS = 4;
  private static final int OPERATIONS = 1_200;

  @ParameterizedTest
  @EnumSource(DocumentLayout.class)
  void everyHistoryHasAnOrderWhateverGetsLost(DocumentLayout documentLayout) throws Exception {
    Seed seed = Seed.of("everyHistoryHasAnOrderWhateverGetsLost(" + documentLayout + ")");
    SplittableRandom seeds = new SplittableRandom(seed.value());
    int unknown = 0;
    for (int run = 0; run < RUNS; run++) {
      FaultMix mix = FaultMix.everything(0.03 + 0.05 * (run % 4));
      MemoryBackend place = new MemoryBackend();
      FaultyBackend faulty = new FaultyBackend(place, seeds.split(), mix);
      OperationHistory operationHistory =
          run(documentLayout, place, faulty, new Seed(seeds.nextLong()));
      LinearizabilityChecker.check(operationHistory, RandomNamesWorkload::initial)
          .ifPresent(
              violation -> {
                throw new AssertionError(seed + ": " + violation);
              });
      unknown +=
          (int)
              operationHistory.operations().stream()
                  .filter(OperationHistory.Operation::isUnknown)
                  .count();
    }
    assertThat(unknown).as("outcomes that stayed unknown, %s", seed).isPositive();
  }

  private static OperationHistory run(
      DocumentLayout documentLayout, ObjectBackend place, FaultyBackend faulty, Seed seed)
      throws Exception {
    List<NameBackend> rivals = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      rivals.add(open(faulty, documentLayout, FakeTime.retry(1 + i)));
    }
    NameBackend calm = open(place, documentLayout, Retry.standard());
    RandomNamesWorkload random = new RandomNamesWorkload(calm, rivals, seed, THREADS, OPERATIONS);
    return random.run(faulty::deliverLateWrites);
  }

  private static NameBackend open(ObjectBackend place, DocumentLayout documentLayout, Retry retry) {
    return new ObjectNameBackend(
        new ObjectStore(place, retry), documentLayout, FakeTime.retry(40), Clock.systemUTC());
  }
}
