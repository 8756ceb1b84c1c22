// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.NameBackend;
import io.tidemark.testkit.RamDirectory;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.names.History;
import io.tidemark.testkit.names.History.Done;
import io.tidemark.testkit.names.History.Operation;
import io.tidemark.testkit.names.LinearizabilityChecker;
import io.tidemark.testkit.names.RandomNames;
import io.tidemark.testkit.names.ToldHistory;
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
  void everyHistoryOfTwoProcessesHasAnOrder(Layout layout) throws Exception {
    Seed seed = Seed.of("everyHistoryOfTwoProcessesHasAnOrder(" + layout + ")");
    SplittableRandom seeds = new SplittableRandom(seed.value());
    History history = new History();
    int cutOff = run(new DirectoryPlace(root, layout), seeds, history);

    LinearizabilityChecker.check(history, RandomNames::initial)
        .ifPresent(
            violation -> {
              throw new AssertionError(seed + ": " + violation);
            });
    List<Operation> operations = history.operations();
    assertThat(cutOff).as("changes cut off by a kill, %s", seed).isPositive();
    assertThat(operations.stream().filter(Operation::isUnknown).count())
        .as("outcomes that stayed unknown, %s", seed)
        .isGreaterThan(cutOff);
    assertThat(operations.stream().filter(o -> o.answer() instanceof Done).count())
        .as("changes, %s", seed)
        .isGreaterThan(100L * KILLS);
  }

  /** Returns how many changes had no answer yet when their process was killed. */
  private static int run(DirectoryPlace place, SplittableRandom seeds, History history)
      throws Exception {
    AtomicInteger cutOff = new AtomicInteger();
    try (NameBackend calm = place.backend()) {
      RandomNames.create(calm);
      try (ChildJvm lasting = start(place, 0, seeds.nextLong())) {
        lasting.expectLine("ready").send("go");
        new CrashLoop(seeds.split(), MOST_LINES)
            .run(
                KILLS,
                round -> start(place, round, seeds.nextLong()),
                (round, lines) -> cutOff.addAndGet(ToldHistory.addTo(history, lines)));
        cutOff.addAndGet(ToldHistory.addTo(history, lasting.kill()));
      }
      RandomNames.lookAtAll(calm, history);
    }
    return cutOff.get();
  }

  private static ChildJvm start(DirectoryPlace place, int number, long seed) {
    return ChildJvm.start(
        RandomWorker.class, place.arguments(String.valueOf(number), String.valueOf(seed)));
  }
}
