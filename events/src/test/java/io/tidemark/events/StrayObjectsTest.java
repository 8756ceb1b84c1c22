// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.NS;
import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.claimPath;
import static io.tidemark.events.EventsFixture.deadLetterPath;
import static io.tidemark.events.EventsFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Cleanup;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.InvalidEventPayloadException;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects that are where others should be, and events that couldn't be read back. */
class StrayObjectsTest {

  private static final ClaimRequest T = new ClaimRequest("h", EventTypeFilter.in("t"), 10, "s");

  private final EventsFixture fixture = new EventsFixture(new MemoryBackend());

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aClaimThatIsAnothersIsGivenUpAndNothingElse() {
    Event one = fixture.publish("t");
    Event two = fixture.publish("t");
    Event three = fixture.publish("t");
    assertThat(fixture.namespace().claim(all("h", 1)).get(0).ack().settled()).isTrue();
    fixture.write(
        claimPath(two.id(), "h"),
        CanonicalJson.write(fixture.json(claimPath(one.id(), "h")).putNull("ack_at")));
    fixture.pass(Duration.ofMinutes(1));

    assertThat(ids(fixture.other().claim(all("h", 10))))
        .contains(three.id())
        .doesNotContain(one.id(), two.id());
    assertThat(fixture.exists(deadLetterPath(two.id(), "h"))).isTrue();
    assertThat(fixture.json(claimPath(one.id(), "h")).path("ack_at").isNull()).isFalse();
  }

  @Test
  void whatHasNoEventsNameIsGivenUpOnceHoweverOftenIsCleanedUp() {
    fixture.write("events/" + NS + "/zzz", "no event");
    assertThat(fixture.other().claim(T)).isEmpty();
    int told = fixture.paths("events/").size();
    assertThat(fixture.paths("dead_letters/")).hasSize(1);

    fixture.pass(Duration.ofDays(10));
    assertThat(fixture.namespace().cleanup(Cleanup.before(fixture.now())).claims()).isZero();

    assertThat(fixture.other().claim(T)).isEmpty();
    assertThat(fixture.paths("events/")).hasSize(told);
  }

  @Test
  void aPayloadIsNoDeeperThanCanBeReadBack() {
    String deepest = "{\"x\":".repeat(199) + "1" + "}".repeat(199);
    Event event = fixture.publish(NewEvent.of("t", deepest));

    assertThat(ids(fixture.other().claim(all("h", 10)))).containsExactly(event.id());
    assertThatThrownBy(() -> fixture.publish(NewEvent.of("t", "{\"x\":" + deepest + "}")))
        .isInstanceOf(InvalidEventPayloadException.class);
    assertThatThrownBy(() -> fixture.publish(NewEvent.of("t", "{},{}")))
        .isInstanceOf(InvalidEventPayloadException.class);
  }

  @Test
  void aTimeBeforeAllTimesIsRefused() {
    assertThatThrownBy(() -> fixture.publish(NewEvent.of("t", "{}").at(Instant.MIN)))
        .isInstanceOf(InvalidNameException.class);
  }
}
