// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.C2;
import static io.tidemark.testkit.names.Samples.C5;
import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.I2;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.NOPE;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.SEARCH;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.json;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Ledgers;
import io.tidemark.names.Ledgers.Heads;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.PushResult.Conflict;
import io.tidemark.names.PushResult.Updated;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The head: published, compared and set, fast-forwarded, reset. */
interface HeadContract {

  NamesFixture fixture();

  private Ledgers ledgers() {
    return fixture().names().ledgers();
  }

  @Test
  default void aPublishedCommitMovesTheHeadOnlyForward_names4() {
    fixture().names().create(MYDB);
    assertThat(ledgers().publishCommit(MYDB, Ref.of(C1, 1))).isEqualTo(new Updated(head(C1, 1)));
    assertThat(ledgers().publishCommit(MYDB, Ref.of(C2, 5))).isEqualTo(new Updated(head(C2, 5)));
    assertThat(ledgers().publishCommit(MYDB, Ref.of(C5, 3)))
        .isEqualTo(new Conflict(Optional.of(head(C2, 5))));
    assertThat(fixture().record(MYDB).commit()).isEqualTo(Ref.of(C2, 5));
  }

  @Test
  default void anotherCommitAtTheSameTIsRefused() {
    fixture().ledger(MYDB, C2, 5);
    assertThat(ledgers().publishCommit(MYDB, Ref.of(C5, 5)))
        .isEqualTo(new Conflict(Optional.of(head(C2, 5))));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C2, 5));
  }

  @Test
  default void aCommitOfAnUnknownLedgerIsRefused_decision4() {
    assertThatThrownBy(() -> ledgers().publishCommit(NOPE, Ref.of(C1, 1)))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("nope:main");
    assertThat(fixture().names().find(NOPE)).isEmpty();
    assertThat(fixture().listed()).isEmpty();
  }

  @Test
  default void aPushToAnAbsentLedgerCreatesIt_names9() {
    assertThat(ledgers().compareAndSetCommit(MYDB, Optional.empty(), Ref.of(C1, 1)))
        .isEqualTo(new Updated(head(C1, 1)));
    NameRecord record = fixture().record(MYDB);
    assertThat(record.commit()).isEqualTo(Ref.of(C1, 1));
    assertThat(record.status()).isEqualTo(READY);
    assertThat(record.config()).isEqualTo(ConcernValue.UNBORN);
    assertThat(record.index()).isEqualTo(ConcernValue.UNBORN);
    assertThat(record.meta().createdAt()).contains(NamesFixture.NOW.getEpochSecond());
  }

  @Test
  default void aPushToAnAbsentLedgerConflictsWithOneThatIsThere_names10() {
    fixture().ledger(MYDB, C1, 1);
    assertThat(ledgers().compareAndSetCommit(MYDB, Optional.empty(), Ref.of(C2, 2)))
        .isEqualTo(new Conflict(Optional.of(head(C1, 1))));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, 1));
  }

  @Test
  default void aPushToAnAbsentLedgerConflictsWithAnUnbornOne_decision3() {
    fixture().names().create(MYDB);
    assertThat(ledgers().compareAndSetCommit(MYDB, Optional.empty(), Ref.of(C1, 1)))
        .isEqualTo(new Conflict(Optional.of(ConcernValue.UNBORN)));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(ConcernValue.UNBORN);
  }

  @Test
  default void aPushFromTheWrongCommitConflicts_names11() {
    fixture().ledger(MYDB, C1, 1);
    assertThat(ledgers().compareAndSetCommit(MYDB, Optional.of(Ref.of(C5, 1)), Ref.of(C2, 2)))
        .isEqualTo(new Conflict(Optional.of(head(C1, 1))));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, 1));
  }

  @Test
  default void aPushFromTheRightCommitAtTheWrongTConflicts() {
    fixture().ledger(MYDB, C1, 2);
    assertThat(ledgers().compareAndSetCommit(MYDB, Optional.of(Ref.of(C1, 1)), Ref.of(C2, 3)))
        .isEqualTo(new Conflict(Optional.of(head(C1, 2))));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, 2));
  }

  @Test
  default void ofACommitItsIdAndTAreCompared_decision2_7() {
    fixture().names().create(MYDB);
    ConcernValue more = value(1, "{'id':'" + C1 + "','t':1,'note':'by another program'}");
    fixture().names().push(MYDB, Concern.HEAD, Optional.of(ConcernValue.UNBORN), more);
    for (Ref wrong : List.of(Ref.of(C5, 1), Ref.of(C1, 2), Ref.UNBORN)) {
      assertThat(ledgers().compareAndSetCommit(MYDB, Optional.of(wrong), Ref.of(C2, 3)))
          .isEqualTo(new Conflict(Optional.of(more)));
    }
    Optional<Ref> known = Optional.of(Ref.of(C1, 1));
    assertThat(ledgers().compareAndSetCommit(MYDB, known, Ref.of(C2, 1)))
        .isEqualTo(new Conflict(Optional.of(more)));
    assertThat(ledgers().compareAndSetCommit(MYDB, known, Ref.of(C2, 2)))
        .isEqualTo(new Updated(head(C2, 2)));
  }

  @Test
  default void aHeadIsExtendedAtItsCommitIfItIsTheKnownOne() {
    fixture().ledger(MYDB, C1, 1);
    ConcernValue more = value(1, "{'id':'" + C1 + "','t':1,'note':'by another program'}");
    ConcernValue other = value(1, "{'id':'" + C1 + "','t':1,'note':'later'}");
    assertThat(ledgers().extendHead(MYDB, head(C1, 1), more)).isEqualTo(new Updated(more));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(more);
    assertThat(ledgers().extendHead(MYDB, head(C1, 1), other))
        .isEqualTo(new Conflict(Optional.of(more)));
    assertThat(ledgers().extendHead(NOPE, head(C1, 1), more))
        .isEqualTo(new Conflict(Optional.empty()));
    assertThatThrownBy(() -> ledgers().extendHead(MYDB, more, head(C2, 2)))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("another commit");
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(more);
    assertThat(ledgers().publishCommit(MYDB, Ref.of(C2, 2)).updated()).isTrue();
  }

  @Test
  default void aPushFromTheKnownCommitSucceedsOnce_names12() {
    fixture().ledger(MYDB, C1, 1);
    Optional<Ref> known = Optional.of(Ref.of(C1, 1));
    assertThat(ledgers().compareAndSetCommit(MYDB, known, Ref.of(C2, 2)))
        .isEqualTo(new Updated(head(C2, 2)));
    assertThat(ledgers().compareAndSetCommit(MYDB, known, Ref.of(C2, 2)))
        .isEqualTo(new Conflict(Optional.of(head(C2, 2))));
  }

  @Test
  default void aPushBackwardsOrInPlaceConflicts() {
    fixture().ledger(MYDB, C5, 5);
    Optional<Ref> known = Optional.of(Ref.of(C5, 5));
    for (long t : new long[] {0, 4, 5}) {
      assertThat(ledgers().compareAndSetCommit(MYDB, known, Ref.of(C2, t)))
          .isEqualTo(new Conflict(Optional.of(head(C5, 5))));
    }
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C5, 5));
  }

  @Test
  default void aPushThatExpectsSomethingOfAnUnknownLedgerConflicts_names14() {
    assertThat(ledgers().compareAndSetCommit(NOPE, Optional.of(Ref.of(C1, 1)), Ref.of(C2, 2)))
        .isEqualTo(new Conflict(Optional.empty()));
    assertThat(ledgers().compareAndSetCommit(NOPE, Optional.of(Ref.UNBORN), Ref.of(C2, 2)))
        .isEqualTo(new Conflict(Optional.empty()));
    assertThat(fixture().names().find(NOPE)).isEmpty();
  }

  @Test
  default void aPushFromUnbornIsTheFirstCommit_names15() {
    fixture().names().create(MYDB);
    assertThat(ledgers().compareAndSetCommit(MYDB, Optional.of(Ref.UNBORN), Ref.of(C1, 1)))
        .isEqualTo(new Updated(head(C1, 1)));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, 1));
  }

  @Test
  default void onAnUnbornHeadOnlyACallerWhoSaidUnbornWins_decision3() {
    fixture().names().create(MYDB);
    assertThat(ledgers().compareAndSetCommit(MYDB, Optional.of(Ref.of(C1, 41)), Ref.of(C2, 42)))
        .isEqualTo(new Conflict(Optional.of(ConcernValue.UNBORN)));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(ConcernValue.UNBORN);
  }

  @Test
  default void onABornHeadACallerWhoSaidUnbornLoses_decision3() {
    fixture().ledger(MYDB, C1, 1);
    assertThat(ledgers().compareAndSetCommit(MYDB, Optional.of(Ref.UNBORN), Ref.of(C2, 2)))
        .isEqualTo(new Conflict(Optional.of(head(C1, 1))));
  }

  @Test
  default void expectingATWithoutAnIdConflicts_names73() {
    fixture().names().create(MYDB);
    Optional<Ref> odd = Optional.of(new Ref(Optional.empty(), 1));
    assertThat(ledgers().compareAndSetCommit(MYDB, odd, Ref.of(C2, 2)))
        .isEqualTo(new Conflict(Optional.of(ConcernValue.UNBORN)));
    ledgers().publishCommit(MYDB, Ref.of(C1, 1));
    assertThat(ledgers().compareAndSetCommit(MYDB, odd, Ref.of(C2, 2)))
        .isEqualTo(new Conflict(Optional.of(head(C1, 1))));
  }

  @Test
  default void aHeadWithoutAnIdIsRefused() {
    fixture().ledger(MYDB, C1, 1);
    Ref odd = new Ref(Optional.empty(), 2);
    assertThatThrownBy(() -> ledgers().compareAndSetCommit(MYDB, Optional.of(Ref.of(C1, 1)), odd))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThatThrownBy(() -> ledgers().compareAndSetCommit(NOPE, Optional.empty(), odd))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("nope:main");
    assertThatThrownBy(() -> ledgers().publishCommit(MYDB, odd))
        .isInstanceOf(InvalidPayloadException.class);
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, 1));
    assertThat(fixture().names().find(NOPE)).isEmpty();
  }

  @Test
  default void aFastForwardGoesForwardOnly_names17() {
    fixture().ledger(MYDB, C1, 1);
    assertThat(ledgers().fastForward(MYDB, Ref.of(C5, 5))).isEqualTo(new Updated(head(C5, 5)));
    ledgers().publishCommit(MYDB, Ref.of(C2, 10));
    assertThat(ledgers().fastForward(MYDB, Ref.of(C5, 5)))
        .isEqualTo(new Conflict(Optional.of(head(C2, 10))));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C2, 10));
  }

  @Test
  default void bothHeadsAreReset_names40_names5_5() {
    fixture().ledger(MYDB, C5, 5);
    ledgers().publishIndex(MYDB, Ref.of(I2, 5));
    long revBefore = fixture().record(MYDB).meta().indexRev();

    ledgers().reset(MYDB, new Heads(Ref.of(C1, 1), Ref.UNBORN));

    NameRecord record = fixture().record(MYDB);
    assertThat(record.commit()).isEqualTo(Ref.of(C1, 1));
    assertThat(record.indexed()).isEqualTo(Ref.UNBORN);
    assertThat(ledgers().heads(MYDB)).contains(new Heads(Ref.of(C1, 1), Ref.UNBORN));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, 1));
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
    assertThat(record.meta().indexRev()).isGreaterThan(revBefore);
    assertThat(ledgers().publishIndex(MYDB, Ref.of(I1, 2))).isEqualTo(new Updated(index(I1, 2, 0)));
    assertThat(ledgers().publishCommit(MYDB, Ref.of(C2, 2))).isEqualTo(new Updated(head(C2, 2)));
  }

  @Test
  default void anIndexIsResetToAnEarlierOne_names5_5() {
    fixture().ledger(MYDB, C5, 5);
    ledgers().publishIndex(MYDB, Ref.of(I2, 5));
    ledgers().reset(MYDB, new Heads(Ref.of(C2, 3), Ref.of(I1, 3)));
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(index(I1, 3, 0));
    assertThat(ledgers().heads(MYDB)).contains(new Heads(Ref.of(C2, 3), Ref.of(I1, 3)));
    assertThat(fixture().another().ledgers().heads(MYDB))
        .contains(new Heads(Ref.of(C2, 3), Ref.of(I1, 3)));
  }

  @Test
  default void aResetLeavesStatusAndConfig() {
    fixture().ledger(MYDB, C5, 5);
    fixture()
        .names()
        .push(
            MYDB,
            Concern.CONFIG,
            Optional.of(ConcernValue.UNBORN),
            ConcernValue.of(1, json("{'k':1}")));
    ledgers().reset(MYDB, new Heads(Ref.UNBORN, Ref.UNBORN));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(ConcernValue.UNBORN);
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(READY);
    assertThat(fixture().get(MYDB, Concern.CONFIG)).contains(ConcernValue.of(1, json("{'k':1}")));
  }

  @Test
  default void onlyALedgerIsReset_names40() {
    Heads heads = new Heads(Ref.of(C1, 1), Ref.UNBORN);
    assertThatThrownBy(() -> ledgers().reset(NOPE, heads)).isInstanceOf(NotFoundException.class);
    fixture().names().graphSources().publish(SEARCH, SourceType.BM25, json("{}"), List.of());
    NameRecord before = fixture().record(SEARCH);
    assertThatThrownBy(() -> ledgers().reset(SEARCH, heads)).isInstanceOf(NotFoundException.class);
    assertThat(fixture().record(SEARCH)).isEqualTo(before);
  }

  @Test
  default void aResetToATWithoutAnIdIsRefused() {
    fixture().ledger(MYDB, C5, 5);
    Ref odd = new Ref(Optional.empty(), 3);
    assertThatThrownBy(() -> ledgers().reset(MYDB, new Heads(odd, Ref.UNBORN)))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThatThrownBy(() -> ledgers().reset(MYDB, new Heads(Ref.of(C1, 1), odd)))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C5, 5));
  }

  @Test
  default void aGraphSourceHasNoHead_decision4() {
    fixture().names().graphSources().publish(SEARCH, SourceType.BM25, json("{}"), List.of());
    assertThat(fixture().get(SEARCH, Concern.HEAD)).isEmpty();
    assertThat(ledgers().compareAndSetCommit(SEARCH, Optional.of(Ref.UNBORN), Ref.of(C1, 1)))
        .isEqualTo(new Conflict(Optional.empty()));
    assertThatThrownBy(() -> ledgers().publishCommit(SEARCH, Ref.of(C1, 1)))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> ledgers().compareAndSetCommit(SEARCH, Optional.empty(), Ref.of(C1, 1)))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("search:main");
    assertThat(fixture().names().graphSources().find(SEARCH)).isPresent();
  }

  @Test
  default void idsAreOpaque_decision6_names5_14() {
    String odd = "fluree:file://mydb/commit/ü 1?.json";
    fixture().names().create(MYDB);
    ledgers().publishCommit(MYDB, Ref.of(odd, 1));
    ledgers().publishIndex(MYDB, Ref.of("not a cid", 1));
    assertThat(ledgers().heads(MYDB)).contains(new Heads(Ref.of(odd, 1), Ref.of("not a cid", 1)));
  }
}
