// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.objects.FakeTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void aCountEndsItThoughThereIsTimeLeft(int times) {
    Retry retry = new FakeTime().retry().atMost(times);

    assertThat(pauses(retry.start())).isEqualTo(times);
    assertThat(pauses(retry.start())).as("each operation has its own").isEqualTo(times);
  }

  @Test
  void theTimeEndsItThoughTheCountIsntReached() {
    FakeTime time = new FakeTime();

    assertThat(pauses(time.retry().atMost(1_000).start())).isLessThan(1_000);
    assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(15));
  }

  private static int pauses(Retry.Backoff backoff) {
    int pauses = 0;
    while (backoff.pause()) {
      pauses++;
    }
    return pauses;
  }
}
