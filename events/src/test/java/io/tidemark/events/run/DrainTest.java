// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who drains comes to an end. */
final class DrainTest {
  private final RunnerFixture runnerFixture = new RunnerFixture();

  @Test
  @Timeout(60)
  void aStoreThatIsAwayIsWaitedForAsLongAsThePatienceLasts() throws Exception {
    try (Runner runner = runnerFixture.runner(HandlerRegistration.ofAll("a", eventContext -> {}))) {
      runnerFixture.publish("x", 1);
      runnerFixture.faulty().always(Operation.PUT, BackendFault.unavailable());
      assertThat(runner.drain(Duration.ofSeconds(3)).claimable()).isEqualTo(1);

      runnerFixture.faulty().clearFaults();
      assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();
    }
  }
}
