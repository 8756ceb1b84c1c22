// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventTypesTest {

  record OrderCreated() {}

  record OrderCreatedV2() {}

  record HTTPRequestFailed() {}

  record Order2Paid() {}

  record Tick() {}

  @EventType("legacy.order_created")
  record Named() {}

  @EventType("a/b")
  record Misnamed() {}

  @Test
  void f27_aRecordsNameInDotCaseIsItsType() {
    assertThat(EventTypes.of(OrderCreated.class).name()).isEqualTo("order.created");
    assertThat(EventTypes.of(OrderCreatedV2.class).name()).isEqualTo("order.created.v2");
    assertThat(EventTypes.of(HTTPRequestFailed.class).name()).isEqualTo("http.request.failed");
    assertThat(EventTypes.of(Order2Paid.class).name()).isEqualTo("order2.paid");
    assertThat(EventTypes.of(Tick.class).name()).isEqualTo("tick");
    assertThat(EventTypes.of(Named.class).name()).isEqualTo("legacy.order_created");
  }

  @Test
  void f27_aTypeThatCantBeIsRefused() {
    assertThatThrownBy(() -> EventTypes.of(Misnamed.class))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageContaining("a/b");
    assertThatThrownBy(() -> EventTypeFilter.in("a..b")).isInstanceOf(InvalidNameException.class);
  }

  @Test
  void newIdsSortByTime() {
    Instant now = Instant.parse("2026-02-11T12:00:00.123Z");
    String early = EventIds.next(now);
    String late = EventIds.next(now.plusMillis(1));

    assertThat(early).isLessThan(late).isNotEqualTo(EventIds.next(now));
    assertThat(UUID.fromString(early).version()).isEqualTo(7);
    assertThat(UUID.fromString(early).variant()).isEqualTo(2);
  }

  @Test
  void anIdMadeOfTheSamePartsIsTheSame() {
    assertThat(EventIds.of("a", "bc")).isEqualTo(EventIds.of("a", "bc"));
    assertThat(EventIds.of("a", "bc")).isNotEqualTo(EventIds.of("ab", "c"));
    assertThat(UUID.fromString(EventIds.of("a")).version()).isEqualTo(8);
    assertThat(UUID.fromString(EventIds.of("a")).variant()).isEqualTo(2);
  }
}
