// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.internal.compact.TieredMergePolicy.Run;
import io.tidemark.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Decision 9: which files are merged, how many are left, and how often a row is written. */
class TieredMergePolicyTest {

  private static List<String> runs(CompactionScope compactionScope, long... rows) {
    return TieredMergePolicy.of(compactionScope).runs(boxed(rows)).stream()
        .map(run -> run.first() + "-" + run.last())
        .toList();
  }

  private static List<Long> boxed(long... rows) {
    List<Long> boxed = new ArrayList<>();
    for (long each : rows) {
      boxed.add(each);
    }
    return boxed;
  }

  @Test
  void smallFilesAreMergedAsSoonAsThereAreTwoWhenItIsAskedFor() {
    assertThat(runs(CompactionScope.TIERS)).isEmpty();
    assertThat(runs(CompactionScope.TIERS, 5)).isEmpty();
    assertThat(runs(CompactionScope.TIERS, 1, 1, 1, 1, 1)).containsExactly("0-4");
    assertThat(runs(CompactionScope.TIERS, 900, 1)).containsExactly("0-1");
  }

  @Test
  void byItselfATierIsMergedWhenItIsFull() {
    assertThat(runs(CompactionScope.FULL_TIERS, 1, 1, 1, 1, 1, 1, 1)).isEmpty();
    assertThat(runs(CompactionScope.FULL_TIERS, 1, 1, 1, 1, 1, 1, 1, 1)).containsExactly("0-7");
    assertThat(runs(CompactionScope.FULL_TIERS, 50_000, 1, 1, 1, 1, 1, 1, 1, 1))
        .containsExactly("1-8");
  }

  @Test
  void aLargeFileIsNotWrittenAgainForAFewRows() {
    assertThat(runs(CompactionScope.TIERS, 1_000_000, 1, 1, 1)).containsExactly("1-3");
    assertThat(runs(CompactionScope.TIERS, 1_000_000, 1)).isEmpty();
  }

  @Test
  void whatMergingMakesLargerIsMergedWithOthersOfThatSizeAtOnce() {
    assertThat(runs(CompactionScope.TIERS, 40_000, 9_000, 9_000, 9_000)).containsExactly("0-3");
  }

  @Test
  void aSmallFileAmongLargeOnesIsOneOfThem() {
    assertThat(runs(CompactionScope.TIERS, 100_000, 1, 100_000, 1, 1))
        .containsExactly("0-2", "3-4");
  }

  /** How many rows a commit has. */
  private enum Load {
    EVEN {
      @Override
      long next(RandomGenerator random) {
        return 50;
      }
    },
    MIXED {
      @Override
      long next(RandomGenerator random) {
        return 1L << random.nextInt(20);
      }
    },
    SMALL_WITH_A_LARGE_ONE_NOW_AND_THEN {
      @Override
      long next(RandomGenerator random) {
        return random.nextInt(100) == 0 ? 1_000_000 : 10;
      }
    };

    abstract long next(RandomGenerator random);
  }

  @ParameterizedTest
  @EnumSource
  void filesAndRewritesGrowWithTheLogarithmOfWhatIsWritten(Load load) {
    Seed seed = Seed.of("filesAndRewritesGrowWithTheLogarithm " + load);
    RandomGenerator random = seed.random();
    List<Long> files = new ArrayList<>();
    long total = 0;
    long rewritten = 0;
    for (int commit = 1; commit <= 5_000; commit++) {
      long rows = load.next(random);
      total += rows;
      files.add(rows);
      for (Run run : TieredMergePolicy.of(CompactionScope.FULL_TIERS).runs(files)) {
        rewritten += run.rows();
        List<Long> merged = files.subList(run.first(), run.last() + 1);
        assertThat(merged.stream().mapToLong(each -> each).sum()).isEqualTo(run.rows());
        merged.clear();
        files.add(run.first(), run.rows());
      }
      double tiers = Math.log(Math.max(1, total / 1_000.0)) / Math.log(8) / 0.75 + 2;
      assertThat(files.size()).as("files, " + seed).isLessThanOrEqualTo((int) (7 * tiers));
    }
    double doublings = Math.log((double) total) / Math.log(2);
    assertThat((double) rewritten / total).as("rewrites, " + seed).isLessThan(doublings);
  }

  @Test
  void aBacklogIsWrittenOnce() {
    List<Long> files = Stream.generate(() -> 50L).limit(1_000).toList();
    List<Run> runs = TieredMergePolicy.of(CompactionScope.FULL_TIERS).runs(files);

    assertThat(runs).containsExactly(new Run(0, 999, 50_000));
  }
}
