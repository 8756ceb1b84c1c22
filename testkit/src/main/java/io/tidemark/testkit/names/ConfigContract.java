// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.NOPE;
import static io.tidemark.testkit.names.Samples.X1;
import static io.tidemark.testkit.names.Samples.cleared;
import static io.tidemark.testkit.names.Samples.json;
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

/** The config: unborn, set, cleared. */
interface ConfigContract {

  NamesFixture fixture();

  private PushResult push(ConcernValue expected, ConcernValue next) {
    return fixture().names().push(MYDB, Concern.CONFIG, Optional.of(expected), next);
  }

  @Test
  default void aConfigIsSet_names24() {
    fixture().names().create(MYDB);
    ConcernValue first = value(1, "{'default_context':'" + X1 + "'}");
    assertThat(push(ConcernValue.UNBORN, first)).isEqualTo(new Updated(first));
    assertThat(fixture().record(MYDB).config().payload().orElseThrow().string("default_context"))
        .contains(X1);
  }

  @Test
  default void aClearedConfigIsNotUnbornAndCanBePushedFrom_names24_names5_10() {
    fixture().names().create(MYDB);
    ConcernValue first = value(1, "{'default_context':'" + X1 + "'}");
    push(ConcernValue.UNBORN, first);
    assertThat(push(first, cleared(2))).isEqualTo(new Updated(cleared(2)));
    ConcernValue read = fixture().get(MYDB, Concern.CONFIG).orElseThrow();
    assertThat(read).isEqualTo(cleared(2));
    assertThat(read.isUnborn()).isFalse();
    assertThat(fixture().record(MYDB).config()).isEqualTo(cleared(2));
    assertThat(push(read, value(3, "{'a':1}"))).isEqualTo(new Updated(value(3, "{'a':1}")));
  }

  @Test
  default void anEmptyConfigIsNotAClearedOne_names5_10() {
    fixture().names().create(MYDB);
    push(ConcernValue.UNBORN, value(1, "{}"));
    assertThat(fixture().get(MYDB, Concern.CONFIG)).contains(value(1, "{}"));
    assertThat(push(cleared(1), value(2, "{}")))
        .isEqualTo(new Conflict(Optional.of(value(1, "{}"))));
    assertThat(push(value(1, "{}"), cleared(2))).isEqualTo(new Updated(cleared(2)));
    assertThat(push(value(2, "{}"), value(3, "{}")))
        .isEqualTo(new Conflict(Optional.of(cleared(2))));
  }

  @Test
  default void aConfigIsNotPushedFromAWrongOne_names25() {
    fixture().names().create(MYDB);
    assertThat(push(value(5, "{}"), value(6, "{}")))
        .isEqualTo(new Conflict(Optional.of(ConcernValue.UNBORN)));
    assertThat(push(value(0, "{}"), value(1, "{}")))
        .isEqualTo(new Conflict(Optional.of(ConcernValue.UNBORN)));
    assertThat(fixture().get(MYDB, Concern.CONFIG)).contains(ConcernValue.UNBORN);
  }

  @Test
  default void aConfigOfAnUnknownAddressConflictsWithNothing_names25() {
    Conflict none = new Conflict(Optional.empty());
    assertThat(
            fixture()
                .names()
                .push(NOPE, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), value(1, "{}")))
        .isEqualTo(none);
    assertThat(fixture().names().push(NOPE, Concern.CONFIG, Optional.empty(), value(1, "{}")))
        .isEqualTo(none);
    assertThat(fixture().names().find(NOPE)).isEmpty();
  }

  @Test
  default void aConfigIsNeverAbsent() {
    fixture().names().create(MYDB);
    assertThat(fixture().names().push(MYDB, Concern.CONFIG, Optional.empty(), value(1, "{}")))
        .isEqualTo(new Conflict(Optional.of(ConcernValue.UNBORN)));
  }

  @Test
  default void theWholeConfigIsCompared_names5_9() {
    fixture().names().create(MYDB);
    ConcernValue first = value(1, "{'a':{'b':[1,2]}}");
    push(ConcernValue.UNBORN, first);
    assertThat(push(value(1, "{'a':{'b':[2,1]}}"), value(2, "{}")))
        .isEqualTo(new Conflict(Optional.of(first)));
    assertThat(push(value(1, "{'a':{'b':[1,2]}}"), value(2, "{}")))
        .isEqualTo(new Updated(value(2, "{}")));
  }

  @Test
  default void aConfigDoesNotStayOrGoBack() {
    fixture().names().create(MYDB);
    push(ConcernValue.UNBORN, value(5, "{}"));
    for (long watermark : new long[] {0, 4, 5}) {
      assertThat(push(value(5, "{}"), value(watermark, "{'x':1}")))
          .isEqualTo(new Conflict(Optional.of(value(5, "{}"))));
    }
  }

  @Test
  default void everyFieldOfAConfigIsKept_names74_names5_9() {
    fixture().names().create(MYDB);
    ConcernValue full =
        value(
            1,
            "{'default_context_id':'"
                + X1
                + "','config_id':'"
                + X1
                + "','default_context':'other','index_threshold':1000,'nothing':null,"
                + "'replication':{'factor':3,'zones':['a','b',[]]}}");
    push(ConcernValue.UNBORN, full);
    assertThat(fixture().get(MYDB, Concern.CONFIG)).contains(full);
    assertThat(fixture().record(MYDB).config()).isEqualTo(full);
    assertThat(fixture().another().get(MYDB, Concern.CONFIG)).contains(full);
  }

  @Test
  default void aConfigIsNotAdvanced_decision2() {
    fixture().names().create(MYDB);
    assertThatThrownBy(
            () ->
                fixture()
                    .names()
                    .advance(MYDB, Concern.CONFIG, ConcernValue.of(1, json("{'x':1}"))))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThat(fixture().get(MYDB, Concern.CONFIG)).contains(ConcernValue.UNBORN);
  }
}
