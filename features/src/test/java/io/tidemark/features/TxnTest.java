// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.model.Guid;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers of transactions and GUIDs as Java has them: cases A1, A7 and A8. */
class TxnTest {

  @Test
  void a1A7ANumberHoldsItsDayAndItsPlaceInIt() {
    assertThat(Txn.of(LocalDate.of(2023, 1, 30), 0).value()).isEqualTo(2023013000000000000L);
    assertThat(Txn.of(LocalDate.of(2023, 9, 29), 98765432101L).value())
        .isEqualTo(2023092998765432101L);

    Txn txn = new Txn(2023123198765432101L);
    assertThat(txn.day()).isEqualTo(LocalDate.of(2023, 12, 31));
    assertThat(txn.sequence()).isEqualTo(98765432101L);
    assertThat(Txn.dayOf(Instant.parse("2023-12-31T23:59:59.999Z")))
        .isLessThan(txn)
        .hasToString("2023123100000000000");
  }

  @Test
  void theLastYearIs9223() {
    assertThat(Txn.of(LocalDate.of(9223, 12, 31), 99999999999L).value()).isPositive();
    assertThatThrownBy(() -> Txn.of(LocalDate.of(9224, 1, 1), 0))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("9224-01-01");
    assertThatThrownBy(() -> new Txn(42)).hasMessageContaining("'42' is no transaction number");
  }

  @Test
  void a8BothFormsOfAGuidAreTheSame() {
    Guid guid = Guid.parse("store:foo:2023:1:30:7");

    assertThat(guid).isEqualTo(new Guid("store", "foo", LocalDate.of(2023, 1, 30), 7));
    assertThat(Guid.parse("store:foo:2023:01:30:7")).isEqualTo(guid);
    assertThat(guid).hasToString("store:foo:2023:1:30:7");
    assertThat(Guid.parse("store:um-mod-dev:topology:2023:1:30:7").collection())
        .isEqualTo("um-mod-dev:topology");
  }

  @Test
  void whatIsNoGuidIsTheSameOnlyByItsLetters() {
    assertThat(Guid.same("store:a:2023:1:3:7", "store:a:2023:01:03:7")).isTrue();
    assertThat(Guid.same("store:a:2023:1:3:7", "store:a:2023:01:03:8")).isFalse();
    assertThat(Guid.same("store:a:2023:1:3:7", "")).isFalse();
    assertThat(Guid.same("a:2023:1", "a:2023:01")).isFalse();
    assertThat(Guid.same("a:2023:1", "a:2023:1")).isTrue();
  }

  @Test
  void whatIsNoGuidIsRefused() {
    for (String text :
        new String[] {"store:foo:2023:1:30", "", "a:b:2023:13:1:1", "x:2023:1:1:1"}) {
      assertThatThrownBy(() -> Guid.parse(text))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("'" + text + "' is no GUID");
    }
  }

  @Test
  void aMomentBeyondTheCalendarIsRefused() {
    for (Instant moment : List.of(Instant.MAX, Instant.MIN)) {
      assertThatThrownBy(() -> Txn.dayOf(moment))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("is beyond the calendar");
    }
  }
}
