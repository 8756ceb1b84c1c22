// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.I2;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.NOPE;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.SEARCH;
import static io.tidemark.testkit.names.Samples.cleared;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.json;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Ledgers;
import io.tidemark.names.Ledgers.Heads;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.PushResult.Conflict;
import io.tidemark.names.PushResult.Updated;
import io.tidemark.names.Ref;
import io.tidemark.names.RetractedException;
import io.tidemark.names.SourceType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The index of a ledger: published, built anew at the same t, by named graph. */
interface IndexContract {

  NamesFixture fixture();

  private Ledgers ledgers() {
    return fixture().names().ledgers();
  }

  @Test
  default void anIndexBehindTheHeadLeavesNovelty_names6() {
    fixture().ledger(MYDB, C1, 10);
    assertThat(ledgers().publishIndex(MYDB, Ref.of(I1, 5))).isEqualTo(new Updated(index(I1, 5, 0)));
    assertThat(fixture().record(MYDB).indexed()).isEqualTo(Ref.of(I1, 5));
    assertThat(fixture().record(MYDB).hasNovelty()).isTrue();
    ledgers().publishIndex(MYDB, Ref.of(I2, 10));
    assertThat(fixture().record(MYDB).indexed()).isEqualTo(Ref.of(I2, 10));
    assertThat(fixture().record(MYDB).hasNovelty()).isFalse();
  }

  @Test
  default void aPublishedIndexMovesOnlyForward_names7() {
    fixture().names().create(MYDB);
    assertThat(ledgers().publishIndex(MYDB, Ref.of(I2, 20)))
        .isEqualTo(new Updated(index(I2, 20, 0)));
    Conflict there = new Conflict(Optional.of(index(I2, 20, 0)));
    assertThat(ledgers().publishIndex(MYDB, Ref.of(I1, 15))).isEqualTo(there);
    assertThat(ledgers().publishIndex(MYDB, Ref.of(I1, 20))).isEqualTo(there);
    assertThat(fixture().record(MYDB).indexed()).isEqualTo(Ref.of(I2, 20));
  }

  @Test
  default void anIndexIsBuiltAnewAtTheSameT_names8() {
    fixture().names().create(MYDB);
    ledgers().publishIndex(MYDB, Ref.of(I1, 5));
    assertThat(ledgers().publishIndexAllowEqual(MYDB, Ref.of(I2, 5)))
        .isEqualTo(new Updated(index(I2, 5, 1)));
    assertThat(fixture().record(MYDB).indexed()).isEqualTo(Ref.of(I2, 5));
    assertThat(ledgers().publishIndexAllowEqual(MYDB, Ref.of(I1, 3)))
        .isEqualTo(new Conflict(Optional.of(index(I2, 5, 1))));
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(index(I2, 5, 1));
  }

  @Test
  default void anIndexMovesByCompareAndSet() {
    Ref first = Ref.of(I1, 5);
    assertThat(ledgers().compareAndSetIndex(NOPE, Optional.of(first), Ref.of(I2, 6)))
        .isEqualTo(new Conflict(Optional.empty()));
    assertThat(fixture().names().find(NOPE)).isEmpty();
    assertThat(ledgers().compareAndSetIndex(MYDB, Optional.empty(), first))
        .isEqualTo(new Updated(index(I1, 5, 0)));
    Conflict there = new Conflict(Optional.of(index(I1, 5, 0)));
    assertThat(ledgers().compareAndSetIndex(MYDB, Optional.empty(), first)).isEqualTo(there);
    for (Ref wrong : List.of(Ref.UNBORN, Ref.of(I2, 5), Ref.of(I1, 4))) {
      assertThat(ledgers().compareAndSetIndex(MYDB, Optional.of(wrong), Ref.of(I2, 6)))
          .isEqualTo(there);
    }
    assertThat(ledgers().compareAndSetIndex(MYDB, Optional.of(first), Ref.of(I2, 4)))
        .as("no step back")
        .isEqualTo(there);
    assertThat(ledgers().compareAndSetIndex(MYDB, Optional.of(first), Ref.of(I2, 5)))
        .isEqualTo(new Updated(index(I2, 5, 1)));
    fixture().names().create(NOPE);
    assertThat(ledgers().compareAndSetIndex(NOPE, Optional.of(Ref.UNBORN), first).updated())
        .isTrue();
    fixture().names().retract(MYDB);
    assertThatThrownBy(
            () -> ledgers().compareAndSetIndex(MYDB, Optional.of(Ref.of(I2, 5)), Ref.of(I1, 6)))
        .isInstanceOf(RetractedException.class);
  }

  @Test
  default void everyPublicationOfAnIndexShowsInItsRevision_decision5() {
    fixture().names().create(MYDB);
    ledgers().publishIndex(MYDB, Ref.of(I1, 5));
    assertThat(fixture().record(MYDB).meta().indexRev()).isEqualTo(1);
    ledgers().publishIndexAllowEqual(MYDB, Ref.of(I2, 5));
    assertThat(fixture().record(MYDB).meta().indexRev()).isEqualTo(2);
    ledgers().publishIndexAllowEqual(MYDB, Ref.of(I2, 5));
    assertThat(fixture().record(MYDB).meta().indexRev()).isEqualTo(3);
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(index(I2, 5, 2));
    ledgers().publishIndex(MYDB, Ref.of(I1, 4));
    assertThat(fixture().record(MYDB).meta().indexRev()).isEqualTo(3);
    ledgers().publishIndex(MYDB, Ref.of(I1, 6));
    assertThat(fixture().record(MYDB).meta().indexRev()).isEqualTo(4);
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(index(I1, 6, 0));
  }

  @Test
  default void onlyTheIndexMovesTheIndexRevision_decision5() {
    fixture().ledger(MYDB, C1, 1);
    fixture().names().retract(MYDB);
    fixture().names().restore(MYDB);
    assertThat(fixture().record(MYDB).meta().indexRev()).isZero();
  }

  @Test
  default void anIndexOfAnUnknownLedgerIsRefused_decision4() {
    assertThatThrownBy(() -> ledgers().publishIndex(NOPE, Ref.of(I1, 1)))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("nope:main");
    assertThatThrownBy(() -> ledgers().publishIndexAllowEqual(NOPE, Ref.of(I1, 1)))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> fixture().names().advance(NOPE, Concern.INDEX, index(I1, 1, 0)))
        .isInstanceOf(NotFoundException.class);
    assertThat(fixture().names().find(NOPE)).isEmpty();
    assertThat(fixture().get(NOPE, Concern.INDEX)).isEmpty();
    fixture().names().create(NOPE);
    assertThat(fixture().get(NOPE, Concern.INDEX)).contains(ConcernValue.UNBORN);
  }

  @Test
  default void theLedgersIndexOfAGraphSourceIsRefused() {
    fixture().names().graphSources().publish(SEARCH, SourceType.BM25, json("{}"), List.of());
    assertThatThrownBy(() -> ledgers().publishIndex(SEARCH, Ref.of(I1, 1)))
        .isInstanceOf(NotFoundException.class);
    assertThat(fixture().get(SEARCH, Concern.INDEX)).contains(ConcernValue.UNBORN);
  }

  @Test
  default void anIndexWithoutAnIdIsRefused() {
    fixture().names().create(MYDB);
    ledgers().publishIndex(MYDB, Ref.of(I1, 1));
    assertThatThrownBy(() -> ledgers().publishIndex(MYDB, new Ref(Optional.empty(), 5)))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThatThrownBy(() -> ledgers().publishIndexAllowEqual(MYDB, new Ref(Optional.empty(), 5)))
        .isInstanceOf(InvalidPayloadException.class);
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(index(I1, 1, 0));
  }

  @Test
  default void anIndexOfNamedGraphsRoundTrips() {
    fixture().names().create(MYDB);
    ConcernValue map =
        value(
            42,
            "{'default':{'id':'"
                + I1
                + "','t':42,'rev':0},'urn:g:1':{'id':'"
                + I2
                + "','t':40,'rev':3},'urn:g:2':null}");
    NameService names = fixture().names();
    assertThat(names.push(MYDB, Concern.INDEX, Optional.of(ConcernValue.UNBORN), map))
        .isEqualTo(new Updated(map));
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(map);
    assertThat(fixture().record(MYDB).index()).isEqualTo(map);
    assertThat(fixture().record(MYDB).indexed()).isEqualTo(Ref.of(I1, 42));
    assertThat(fixture().another().get(MYDB, Concern.INDEX)).contains(map);
  }

  @Test
  default void publishingTheDefaultGraphLeavesTheOthers() {
    fixture().names().create(MYDB);
    ConcernValue map =
        value(
            5, "{'urn:g':{'id':'g5','t':5,'rev':2},'default':{'id':'d5','t':5,'rev':1},'note':7}");
    fixture().names().push(MYDB, Concern.INDEX, Optional.of(ConcernValue.UNBORN), map);
    ledgers().publishIndex(MYDB, Ref.of("d6", 6));
    assertThat(fixture().get(MYDB, Concern.INDEX))
        .contains(
            value(
                6,
                "{'urn:g':{'id':'g5','t':5,'rev':2},'default':{'id':'d6','t':6,'rev':0},"
                    + "'note':7}"));
    ledgers().publishIndexAllowEqual(MYDB, Ref.of("d6b", 6));
    assertThat(fixture().get(MYDB, Concern.INDEX))
        .contains(
            value(
                6,
                "{'urn:g':{'id':'g5','t':5,'rev':2},'default':{'id':'d6b','t':6,'rev':1},"
                    + "'note':7}"));
  }

  @Test
  default void anIndexIsComparedAndSetAtTheSameT() {
    fixture().names().create(MYDB);
    NameService names = fixture().names();
    ConcernValue first = index(I1, 5, 0);
    names.push(MYDB, Concern.INDEX, Optional.of(ConcernValue.UNBORN), first);
    ConcernValue second = index(I2, 5, 1);
    assertThat(names.push(MYDB, Concern.INDEX, Optional.of(first), second))
        .isEqualTo(new Updated(second));
    assertThat(names.push(MYDB, Concern.INDEX, Optional.of(first), index("other", 5, 1)))
        .isEqualTo(new Conflict(Optional.of(second)));
    assertThat(names.push(MYDB, Concern.INDEX, Optional.of(second), index(I1, 4, 0)))
        .isEqualTo(new Conflict(Optional.of(second)));
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(second);
  }

  @Test
  default void anIndexPushedToAnAbsentLedgerCreatesIt() {
    assertThat(fixture().names().push(MYDB, Concern.INDEX, Optional.empty(), index(I1, 5, 0)))
        .isEqualTo(new Updated(index(I1, 5, 0)));
    assertThat(fixture().record(MYDB).head()).isEqualTo(ConcernValue.UNBORN);
    assertThat(fixture().record(MYDB).status()).isEqualTo(READY);
    assertThat(fixture().record(MYDB).meta().indexRev()).isEqualTo(1);
    assertThat(fixture().names().push(MYDB, Concern.INDEX, Optional.empty(), index(I2, 6, 0)))
        .isEqualTo(new Conflict(Optional.of(index(I1, 5, 0))));
  }

  @Test
  default void anIndexThatWasClearedIsNotUnborn() {
    fixture().names().create(MYDB);
    NameService names = fixture().names();
    names.push(MYDB, Concern.INDEX, Optional.of(ConcernValue.UNBORN), cleared(5));
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(cleared(5));
    assertThat(names.push(MYDB, Concern.INDEX, Optional.of(cleared(5)), index(I1, 5, 0)))
        .isEqualTo(new Updated(index(I1, 5, 0)));
  }

  @Test
  default void theIndexIsTheSameHoweverItIsRead_names5_6() {
    fixture().ledger(MYDB, C1, 5);
    for (long t = 1; t <= 5; t++) {
      ledgers().publishIndex(MYDB, Ref.of("i" + t, t));
      assertThat(fixture().get(MYDB, Concern.INDEX)).contains(index("i" + t, t, 0));
      assertThat(fixture().record(MYDB).index()).isEqualTo(index("i" + t, t, 0));
      assertThat(ledgers().heads(MYDB)).contains(new Heads(Ref.of(C1, 5), Ref.of("i" + t, t)));
    }
  }

  @Test
  default void anIndexLeavesTheHead() {
    fixture().ledger(MYDB, C1, 5);
    ledgers().publishIndex(MYDB, Ref.of(I1, 9));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, 5));
    ledgers().publishCommit(MYDB, Ref.of("c6", 6));
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(index(I1, 9, 0));
  }
}
