// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.NS;
import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What cursors say is true, also later; and what a process keeps in mind has an end. */
class CursorTest {

  private final EventsFixture fixture = new EventsFixture(new MemoryBackend());

  @AfterEach
  void close() {
    fixture.close();
  }

  private void handle(String handler) {
    fixture
        .namespace()
        .claim(all(handler, 10))
        .forEach(delivery -> assertThat(delivery.ack().settled()).isTrue());
  }

  /** Until nothing new can appear, with a look every now and then. */
  private void passLong(String handler) {
    for (int i = 0; i < 6; i++) {
      fixture.pass(Duration.ofSeconds(31));
      handle(handler);
    }
  }

  private ObjectNode cursor(String handler) {
    return fixture.json("cursors/" + NS + "/" + handler + ".json");
  }

  @Test
  void anIdThatWasCleanedUpMayComeAgain() {
    NewEvent event = NewEvent.of("t", "{}").withId("again");
    fixture.publish(event);
    handle("h");
    passLong("h");
    assertThat(cursor("h").path("up_to").asText()).contains("again");
    assertThat(cursor("h").path("finished")).isEmpty();

    assertThat(fixture.namespace().cleanup(Cleanup.before(fixture.now())).events()).isEqualTo(1);
    fixture.publish(event);

    assertThat(ids(fixture.other().claim(all("h", 10)))).containsExactly("again");
  }

  @Test
  void whileNothingHappensNoneIsWritten() {
    fixture.publishAll(3);
    handle("h");
    passLong("h");

    assertThat(fixture.during(() -> passLong("h")).of(Operation.PUT)).isZero();
  }
}
