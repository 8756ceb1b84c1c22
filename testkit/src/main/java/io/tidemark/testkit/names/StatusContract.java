// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.NOPE;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.cleared;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.state;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.PushResult;
import io.tidemark.names.PushResult.Conflict;
import io.tidemark.names.PushResult.Updated;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status: pushed from exactly what the caller knows. */
interface StatusContract {

  NamesFixture fixture();

  private PushResult push(ConcernValue expected, ConcernValue next) {
    return fixture().names().push(MYDB, Concern.STATUS, Optional.of(expected), next);
  }

  @Test
  default void aStatusIsPushedOnce_names19() {
    fixture().names().create(MYDB);
    assertThat(push(READY, state(2, "indexing"))).isEqualTo(new Updated(state(2, "indexing")));
    assertThat(push(READY, state(2, "indexing")))
        .isEqualTo(new Conflict(Optional.of(state(2, "indexing"))));
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(state(2, "indexing"));
  }

  @Test
  default void aStatusIsNotPushedFromAWrongOne_names20() {
    fixture().names().create(MYDB);
    Conflict ready = new Conflict(Optional.of(READY));
    assertThat(push(state(5, "wrong"), state(6, "x"))).isEqualTo(ready);
    assertThat(push(state(1, "wrong"), state(2, "x"))).isEqualTo(ready);
    assertThat(push(state(2, "ready"), state(3, "x"))).isEqualTo(ready);
    assertThat(push(ConcernValue.UNBORN, state(2, "x"))).isEqualTo(ready);
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(READY);
  }

  @Test
  default void aStatusIsNeverAbsent_names20() {
    fixture().names().create(MYDB);
    assertThat(fixture().names().push(MYDB, Concern.STATUS, Optional.empty(), state(2, "x")))
        .isEqualTo(new Conflict(Optional.of(READY)));
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(READY);
  }

  @Test
  default void aStatusOfAnUnknownAddressConflictsWithNothing_names20() {
    Conflict none = new Conflict(Optional.empty());
    assertThat(fixture().names().push(NOPE, Concern.STATUS, Optional.of(READY), state(2, "x")))
        .isEqualTo(none);
    assertThat(fixture().names().push(NOPE, Concern.STATUS, Optional.empty(), state(2, "x")))
        .isEqualTo(none);
    assertThat(fixture().names().find(NOPE)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 6, 7})
  default void aStatusDoesNotStayOrGoBack_names21(long watermark) {
    fixture().names().create(MYDB);
    push(READY, state(7, "busy"));
    assertThat(push(state(7, "busy"), state(watermark, "other")))
        .isEqualTo(new Conflict(Optional.of(state(7, "busy"))));
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(state(7, "busy"));
  }

  @Test
  default void aStatusMayLeaveGaps_names21() {
    fixture().names().create(MYDB);
    assertThat(push(READY, state(11, "busy"))).isEqualTo(new Updated(state(11, "busy")));
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(state(11, "busy"));
  }

  @Test
  default void extraFieldsOfAStatusRoundTripAndGo_names22() {
    fixture().names().create(MYDB);
    ConcernValue extra = value(2, "{'state':'ready','queue_depth':5,'index_lock':{'holder':'a'}}");
    assertThat(push(READY, extra)).isEqualTo(new Updated(extra));
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(extra);
    assertThat(fixture().record(MYDB).status()).isEqualTo(extra);
    assertThat(push(extra, state(3, "ready"))).isEqualTo(new Updated(state(3, "ready")));
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(state(3, "ready"));
  }

  @Test
  default void extraFieldsOfAStatusAreCompared_names5_9() {
    fixture().names().create(MYDB);
    ConcernValue locked = value(2, "{'state':'ready','lock':{'holder':'a','until':10}}");
    push(READY, locked);
    assertThat(push(state(2, "ready"), state(3, "x"))).isEqualTo(new Conflict(Optional.of(locked)));
    assertThat(push(value(2, "{'state':'ready','lock':{'holder':'b','until':10}}"), state(3, "x")))
        .isEqualTo(new Conflict(Optional.of(locked)));
    assertThat(push(value(2, "{'lock':{'until':10,'holder':'a'},'state':'ready'}"), state(3, "x")))
        .isEqualTo(new Updated(state(3, "x")));
  }

  @Test
  default void aStatusNeedsAState() {
    fixture().names().create(MYDB);
    assertThatThrownBy(() -> push(READY, value(2, "{'progress':5}")))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThatThrownBy(() -> push(READY, value(2, "{'state':5}")))
        .isInstanceOf(InvalidPayloadException.class);
    assertThatThrownBy(() -> push(READY, cleared(2)))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(READY);
  }

  @Test
  default void aStateIsAnyText() {
    fixture().names().create(MYDB);
    ConcernValue odd = value(2, "{'state':'Ünder \\\\ maintenance\\n\\u0000'}");
    assertThat(push(READY, odd)).isEqualTo(new Updated(odd));
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(odd);
  }

  @Test
  default void aStateThatSaysRetractedDoesNotRetract() {
    fixture().names().create(MYDB);
    push(READY, state(2, "retracted"));
    assertThat(fixture().record(MYDB).meta().retracted()).isFalse();
    assertThat(push(state(2, "retracted"), state(3, "ready")))
        .isEqualTo(new Updated(state(3, "ready")));
  }

  @Test
  default void aStatusIsNotAdvanced_decision2() {
    fixture().names().create(MYDB);
    assertThatThrownBy(
            () -> fixture().names().advance(MYDB, Concern.STATUS, state(9, "overwritten")))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(READY);
  }

  @Test
  default void aStatusThatCouldNotBeCountedFurtherIsRefused() {
    fixture().names().create(MYDB);
    assertThatThrownBy(() -> push(READY, state(Long.MAX_VALUE, "stuck")))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(READY);
    assertThat(fixture().names().retract(MYDB).status().watermark()).isEqualTo(2);
  }

  @Test
  default void aStatusLeavesTheOtherConcerns() {
    fixture().ledger(MYDB, C1, 1);
    push(READY, state(2, "busy"));
    assertThat(fixture().record(MYDB).head()).isEqualTo(head(C1, 1));
    assertThat(fixture().record(MYDB).index()).isEqualTo(ConcernValue.UNBORN);
    assertThat(fixture().record(MYDB).config()).isEqualTo(ConcernValue.UNBORN);
  }
}
