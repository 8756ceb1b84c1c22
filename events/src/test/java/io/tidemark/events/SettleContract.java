// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.claimPath;
import static io.tidemark.events.EventsFixture.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.Settlement;
import io.tidemark.objects.UtcTimestamp;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How deliveries end. */
interface SettleContract {

  EventsFixture fixture();

  @Test
  default void j4_whatIsReleasedComesAgainAfterAWhile() {
    Event event = fixture().publish("t");
    Instant now = fixture().now();
    Settlement released = fixture().claimOne("h").release("boom");

    ObjectNode json = fixture().json(claimPath(event.id(), "h"));
    assertThat(json.path("attempts").asInt()).isEqualTo(1);
    assertThat(json.path("last_error").asText()).isEqualTo("boom");
    assertThat(json.path("lease_until").asText()).isEqualTo(UtcTimestamp.format(now));
    Instant available = UtcTimestamp.parse(json.path("available_at").asText()).orElseThrow();
    assertThat(available).isBetween(now.plusMillis(500), now.plusMillis(600));
    assertThat(released)
        .isInstanceOfSatisfying(
            Settlement.Settled.class,
            settled -> assertThat(settled.claim().availableAt()).isEqualTo(available));

    fixture().pass(Duration.between(now, available).minusNanos(1_000));
    assertThat(fixture().namespace().claim(all("h", 10))).isEmpty();
    assertThat(fixture().other().claim(all("h", 10))).isEmpty();
    fixture().pass(Duration.ofNanos(1_000));
    Delivery again = only(fixture().other().claim(all("h", 10)));
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.claim().attempts()).isEqualTo(1);
    assertThat(again.claim().leaseExpiries()).as("it was no crash").isZero();
    assertThat(again.claim().lastError()).isEmpty();
  }

  @Test
  default void j4_theWaitDoublesUpToALimit() {
    fixture().publish("t");
    long[] millis = {500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000};
    for (long wait : millis) {
      Delivery delivery = fixture().claimOne("h");
      assertThat(delivery.release("")).isInstanceOf(Settlement.Settled.class);
      assertThat(delivery.claim().lastError()).contains("handler failure");
      assertThat(Duration.between(fixture().now(), delivery.claim().availableAt()).toMillis())
          .isBetween(wait, wait + 100);
      fixture().pass(Duration.ofMillis(wait + 101));
    }
  }

  @Test
  default void j6_f22_anAckThatComesTooLateHasNoEffect() {
    Event event = fixture().publish("t");
    Delivery stale = fixture().claimOne("h");
    fixture().pass(Duration.ofSeconds(31));
    Delivery current = only(fixture().other().claim(all("h", 10)));
    ObjectNode before = fixture().json(claimPath(event.id(), "h"));

    assertThat(stale.ack()).isEqualTo(new Settlement.Superseded());
    assertThat(stale.release("late")).isEqualTo(new Settlement.Superseded());
    assertThat(stale.deadLetter("late")).isEqualTo(new Settlement.Superseded());
    assertThat(stale.renew()).isEqualTo(new Settlement.Superseded());

    assertThat(fixture().json(claimPath(event.id(), "h"))).isEqualTo(before);
    assertThat(fixture().paths("dead_letters/")).isEmpty();
    assertThat(current.ack().settled()).isTrue();
  }

  @Test
  default void j6_eachStaleCallOfItsOwnHasNoEffect() {
    for (String call : new String[] {"release", "deadLetter", "renew"}) {
      Event event = fixture().publish("t");
      Delivery stale = fixture().claimOne("h");
      fixture().pass(Duration.ofSeconds(31));
      Delivery current = only(fixture().other().claim(all("h", 10)));
      ObjectNode before = fixture().json(claimPath(event.id(), "h"));
      Settlement settlement =
          switch (call) {
            case "release" -> stale.release("late");
            case "deadLetter" -> stale.deadLetter("late");
            default -> stale.renew();
          };
      assertThat(settlement).isEqualTo(new Settlement.Superseded());
      assertThat(fixture().json(claimPath(event.id(), "h"))).isEqualTo(before);
      assertThat(current.ack().settled()).isTrue();
    }
    assertThat(fixture().paths("dead_letters/")).isEmpty();
  }

  @Test
  default void aSettledDeliveryIsSettledOnce() {
    fixture().publish("t");
    Delivery delivery = fixture().claimOne("h");

    assertThat(delivery.ack().settled()).isTrue();
    assertThat(delivery.ack()).isEqualTo(new Settlement.Superseded());
    assertThat(delivery.release("late")).isEqualTo(new Settlement.Superseded());
  }

  @Test
  default void aLeaseCanBeRenewed() {
    fixture().publish("t");
    Delivery delivery = fixture().claimOne("h");
    Namespace other = fixture().other();
    for (int i = 0; i < 5; i++) {
      fixture().pass(Duration.ofSeconds(20));
      assertThat(delivery.renew().settled()).isTrue();
      assertThat(delivery.leaseUntil()).isEqualTo(fixture().now().plusSeconds(30));
      assertThat(other.claim(all("h", 10))).isEmpty();
      assertThat(fixture().namespace().claim(all("h", 10))).isEmpty();
    }
    assertThat(delivery.ack().settled()).isTrue();
    assertThat(delivery.attempt()).isEqualTo(1);
  }

  @Test
  default void whatOthersKeepInAClaimSurvives() {
    Event event = fixture().publish("t");
    fixture().claimOne("h");
    String path = claimPath(event.id(), "h");
    fixture().write(path, fixture().json(path).put("theirs", 7).toString());
    fixture().pass(Duration.ofSeconds(31));

    only(fixture().other().claim(all("h", 10))).ack();

    assertThat(fixture().json(path).path("theirs").asInt()).isEqualTo(7);
  }
}
