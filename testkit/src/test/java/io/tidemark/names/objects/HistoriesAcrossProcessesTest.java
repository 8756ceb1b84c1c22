// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.NameBackend;
import io.tidemark.testkit.RamDirectory;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.names.LinearizabilityChecker;
import io.tidemark.testkit.names.OperationHistory;
import io.tidemark.testkit.names.OperationHistory.Done;
import io.tidemark.testkit.names.OperationHistory.Operation;
import io.tidemark.testkit.names.RandomNamesWorkload;
import io.tidemark.testkit.names.RemoteHistory;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.process.CrashLoop;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two processes change the same names at random while requests and answers get lost or come late,
 * and one of them is killed again and again. What they were told has an order all the same.
 *
 * <p>The seed decides what each process tries, which faults it meets and after how many lines it is
 * killed; how the two interleave is up to the machine.
 */
class HistoriesAcrossProcessesTest {
  private static final int KILLS = Boolean.getBoolean("soak") ? 40 : 5;
  private static final int MOST_LINES = 3_000;

  @TempDir(factory = RamDirectory.class)
  Path root;

  @ParameterizedTest
  @EnumSource
  void everyHistoryOfTwoProcessesHasAnOrder(DocumentLayout documentLayout) throws Exception {
    Seed seed = Seed.of("everyHistoryOfTwoProcessesHasAnOrder(" + documentLayout + ")");
    SplittableRandom seeds = new SplittableRandom(seed.value());
    OperationHistory operationHistory = new OperationHistory();
    int cutOff = run(new DirectoryFixture(root, documentLayout), seeds, operationHistory);

    LinearizabilityChecker.check(operationHistory, RandomNamesWorkload::initial)
        .ifPresent(
            violation -> {
              throw new AssertionError(seed + ": " + violation);
            });
    List<Operation> operations = operationHistory.operations();
    assertThat(cutOff).as("changes cut off by a kill, %s", seed).isPositive();
    assertThat(operations.stream().filter(Operation::isUnknown).count())
        .as("outcomes that stayed unknown, %s", seed)
        .isGreaterThan(cutOff);
    assertThat(operations.stream().filter(o -> o.answer() instanceof Done).count())
        .as("changes, %s", seed)
        .isGreaterThan(100L * KILLS);
  }

  /** Returns how many changes had no answer yet when their process was killed. */
  private static int run(
      DirectoryFixture place, SplittableRandom seeds, OperationHistory operationHistory)
      throws Exception {
    AtomicInteger cutOff = new AtomicInteger();
    try (NameBackend calm = place.backend()) {
      RandomNamesWorkload.create(calm);
      try (ChildJvm lasting = start(place, 0, seeds.nextLong())) {
        lasting.expectLine("ready").send("go");
        new CrashLoop(seeds.split(), MOST_LINES)
            .run(
                KILLS,
                round -> start(place, round, seeds.nextLong()),
                (round, lines) -> cutOff.addAndGet(RemoteHistory.addTo(operationHistory, lines)));
        cutOff.addAndGet(RemoteHistory.addTo(operationHistory, lasting.kill()));
      }
      RandomNamesWorkload.readAll(calm, operationHistory);
    }
    return cutOff.get();
  }

  private static ChildJvm start(DirectoryFixture place, int number, long seed) {
    return ChildJvm.start(
        RandomWorker.class, place.arguments(String.valueOf(number), String.valueOf(seed)));
  }
}
