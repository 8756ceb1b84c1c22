// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One seed, one interleaving. */
class DeterministicSchedulerTest {

  private static List<Integer> interleaving(long seed) throws InterruptedException {
    DeterministicScheduler deterministicScheduler =
        new DeterministicScheduler(new SplittableRandom(seed));
    List<Integer> order = new ArrayList<>(); // no lock: only one actor runs at a time
    deterministicScheduler.run(
        IntStream.range(0, 4)
            .<Runnable>mapToObj(
                actor ->
                    () -> {
                      for (int i = 0; i < 25; i++) {
                        order.add(actor);
                        deterministicScheduler.yieldTurn();
                      }
                    })
            .toList());
    return order;
  }

  @Test
  void aSeedGivesTheSameInterleavingEachTime() throws InterruptedException {
    List<Integer> first = interleaving(1);
    assertThat(first).hasSize(100);
    for (int i = 0; i < 10; i++) {
      assertThat(interleaving(1)).isEqualTo(first);
    }
    assertThat(interleaving(2)).isNotEqualTo(first);
  }

  @Test
  void theFailureOfAnActorIsThatOfTheRunAndTheOthersEnd() {
    List<String> ended = new ArrayList<>();
    DeterministicScheduler deterministicScheduler =
        new DeterministicScheduler(new SplittableRandom(3));
    Runnable fails =
        () -> {
          throw new IllegalStateException("no");
        };
    assertThatThrownBy(() -> deterministicScheduler.run(List.of(fails, () -> ended.add("other"))))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no");
    assertThat(ended).containsExactly("other");
  }
}
