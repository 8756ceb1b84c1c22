// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.objects.Fault;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who drains comes to an end. */
final class DrainTest {
  private final World world = new World();

  @Test
  @Timeout(60)
  void aStoreThatIsAwayIsWaitedForAsLongAsThePatienceLasts() throws Exception {
    try (Runner runner = world.runner(Registration.ofAll("a", context -> {}))) {
      world.publish("x", 1);
      world.faulty().always(Operation.PUT, Fault.unavailable());
      assertThat(runner.drain(Duration.ofSeconds(3)).claimable()).isEqualTo(1);

      world.faulty().heal();
      assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();
    }
  }
}
