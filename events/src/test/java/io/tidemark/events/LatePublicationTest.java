// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Publication;
import io.tidemark.events.run.RunnerFixture;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Events that are stored too late by somebody who then fails, and are published again. */
class LatePublicationTest {

  private final RunnerFixture runnerFixture = new RunnerFixture();
  private final Namespace running = runnerFixture.namespace();

  /** Publishes what arrives when nobody looks for it any more; the copy doesn't arrive. */
  private NewEvent late() {
    runnerFixture.publish("first", 1);
    handle();
    NewEvent event = NewEvent.of("t", "{}").withId("late").at(runnerFixture.clock().instant());
    runnerFixture
        .faulty()
        .next(
            Operation.PUT,
            BackendFault.runBefore(
                () -> {
                  runnerFixture.pass(Duration.ofSeconds(90));
                  runnerFixture.publish("second", 2);
                  handle();
                  runnerFixture
                      .faulty()
                      .next(LatePublicationTest::isCopy, BackendFault.unavailable());
                }));
    assertThatThrownBy(() -> runnerFixture.publish(event))
        .isInstanceOf(StoreUnavailableException.class);
    handle();
    return event;
  }

  /** Whether an event is stored later than in the first minute, at half a second past ten. */
  private static boolean isCopy(Operation operation, String key) {
    return operation == Operation.PUT && key.contains("_late") && !key.contains("T10-00-");
  }

  private void handle() {
    for (Delivery delivery : running.claim(all("h", 10))) {
      assertThat(delivery.ack().settled()).isTrue();
    }
    runnerFixture.pass(Duration.ofSeconds(2));
  }

  @Test
  void whoPublishesAgainIsHeard() {
    NewEvent event = late();
    assertThat(running.claim(all("h", 10))).isEmpty();

    assertThat(runnerFixture.namespace().publish(event)).isInstanceOf(Publication.Published.class);

    assertThat(ids(running.claim(all("h", 10)))).containsExactly("late");
  }

  @Test
  void whatWasStoredInTimeHasNoCopies() {
    NewEvent event = NewEvent.of("t", "{}").withId("in-time").at(runnerFixture.clock().instant());
    runnerFixture.publish(event);
    runnerFixture.pass(Duration.ofDays(1));

    assertThat(runnerFixture.namespace().publish(event))
        .isInstanceOf(Publication.AlreadyThere.class);
  }

  @Test
  void whatWasStoredLateHasOneCopy() {
    NewEvent event = NewEvent.of("t", "{}").withId("old").at(runnerFixture.clock().instant());
    runnerFixture.pass(Duration.ofDays(1));

    assertThat(runnerFixture.namespace().publish(event)).isInstanceOf(Publication.Published.class);
    runnerFixture.pass(Duration.ofDays(1));
    assertThat(runnerFixture.namespace().publish(event))
        .isInstanceOf(Publication.AlreadyThere.class);
  }
}
