// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.C2;
import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.I2;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.NOPE;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.state;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Ledgers.Heads;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.Ref;
import io.tidemark.names.RetractedException;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Taking back, bringing back, freeing the name. */
interface RetractContract {

  NamesFixture fixture();

  private NameService names() {
    return fixture().names();
  }

  @Test
  default void aRetractedLedgerSaysSo_names27_names5_9() {
    fixture().ledger(MYDB, C1, 1);
    names().retract(MYDB);
    NameRecord record = fixture().record(MYDB);
    assertThat(record.meta().retracted()).isTrue();
    assertThat(record.status())
        .isEqualTo(
            value(
                2,
                "{'state':'retracted','retracted_at':" + NamesFixture.NOW.getEpochSecond() + "}"));
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(record.status());
  }

  @Test
  default void retractingAgainChangesNothing_names27() {
    fixture().ledger(MYDB, C1, 1);
    NameRecord once = names().retract(MYDB);
    assertThat(names().retract(MYDB)).isEqualTo(once);
    assertThat(fixture().record(MYDB)).isEqualTo(once);
    assertThat(once.status().watermark()).isEqualTo(2);
  }

  @Test
  default void aRetractedLedgerIsListedButNotAsABranch_names27() {
    fixture().ledger(MYDB, C1, 1);
    names().retract(MYDB);
    assertThat(names().branches().list("mydb")).isEmpty();
    assertThat(fixture().listed()).containsExactly("mydb:main");
  }

  @Test
  default void aRetractedLedgerStaysReadable_names5_1() {
    fixture().ledger(MYDB, C1, 1);
    names().ledgers().publishIndex(MYDB, Ref.of(I1, 1));
    names().retract(MYDB);
    assertThat(names().ledgers().heads(MYDB)).contains(new Heads(Ref.of(C1, 1), Ref.of(I1, 1)));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, 1));
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(index(I1, 1, 0));
    assertThat(names().ledgers().find(MYDB)).isPresent();
  }

  @Test
  default void retractingWhatIsNotThereIsRefusedAndLeavesNothing_names5_8() {
    assertThatThrownBy(() -> names().retract(NOPE))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("nope:main");
    assertThat(names().find(NOPE)).isEmpty();
    names().create(NOPE);
    assertThat(fixture().record(NOPE).status()).isEqualTo(READY);
  }

  private void assertRetracted(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(RetractedException.class)
        .hasMessageContaining("mydb:main");
  }

  @Test
  default void noConcernOfARetractedLedgerIsPushed_decision4_names5_11() {
    fixture().ledger(MYDB, C1, 1);
    NameRecord before = names().retract(MYDB);
    for (Concern concern : Concern.values()) {
      ConcernValue current = before.concern(concern);
      ConcernValue next =
          concern == Concern.HEAD
              ? head(C2, 9)
              : concern == Concern.STATUS ? state(9, "x") : index(I2, 9, 0);
      assertRetracted(() -> names().push(MYDB, concern, Optional.of(current), next));
      assertRetracted(() -> names().push(MYDB, concern, Optional.of(next), next));
      assertRetracted(() -> names().push(MYDB, concern, Optional.empty(), next));
    }
    assertThat(fixture().record(MYDB)).isEqualTo(before);
  }

  @Test
  default void nothingIsPublishedToARetractedLedger_decision4_names5_11() {
    fixture().ledger(MYDB, C1, 1);
    NameRecord before = names().retract(MYDB);
    assertRetracted(() -> names().ledgers().publishCommit(MYDB, Ref.of(C2, 2)));
    assertRetracted(() -> names().ledgers().publishCommit(MYDB, Ref.of(C2, 1)));
    assertRetracted(() -> names().ledgers().fastForward(MYDB, Ref.of(C2, 2)));
    assertRetracted(() -> names().ledgers().publishIndex(MYDB, Ref.of(I1, 1)));
    assertRetracted(() -> names().ledgers().publishIndexAllowEqual(MYDB, Ref.of(I1, 1)));
    assertRetracted(() -> names().advance(MYDB, Concern.INDEX, index(I1, 1, 0)));
    assertRetracted(() -> names().ledgers().reset(MYDB, new Heads(Ref.of(C2, 2), Ref.UNBORN)));
    assertRetracted(() -> names().branches().create(MYDB, "dev", Optional.empty()));
    assertThat(fixture().record(MYDB)).isEqualTo(before);
    assertThat(fixture().listed()).containsExactly("mydb:main");
  }

  @Test
  default void aRetractedLedgerKeepsItsName_names29() {
    fixture().ledger(MYDB, C1, 1);
    NameRecord before = names().retract(MYDB);
    assertThatThrownBy(() -> names().create(MYDB))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("mydb:main")
        .hasMessageContaining("retracted");
    assertThat(fixture().record(MYDB)).isEqualTo(before);
  }

  @Test
  default void aPurgedNameIsFree_names29_names5_1() {
    fixture().ledger(MYDB, C1, 7);
    names().ledgers().publishIndex(MYDB, Ref.of(I1, 7));
    names().retract(MYDB);
    names().purge(MYDB);
    assertThat(names().find(MYDB)).isEmpty();
    names().create(MYDB);
    assertThat(fixture().record(MYDB).commit()).isEqualTo(Ref.UNBORN);
    assertThat(fixture().record(MYDB).indexed()).isEqualTo(Ref.UNBORN);
    assertThat(fixture().record(MYDB).meta().retracted()).isFalse();
  }

  @Test
  default void purgingLeavesNoResidue_names32() {
    fixture().ledger(MYDB, C1, 7);
    names().ledgers().publishIndex(MYDB, Ref.of(I1, 7));
    names().push(MYDB, Concern.STATUS, Optional.of(READY), state(5, "busy"));
    names()
        .push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), value(3, "{'left':'over'}"));
    names().purge(MYDB);
    for (Concern concern : Concern.values()) {
      assertThat(fixture().get(MYDB, concern)).isEmpty();
    }
    assertThat(fixture().listed()).isEmpty();

    NameRecord again = names().create(MYDB);
    assertThat(fixture().record(MYDB)).isEqualTo(again);
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(ConcernValue.UNBORN);
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(READY);
    assertThat(fixture().get(MYDB, Concern.CONFIG)).contains(ConcernValue.UNBORN);
  }

  @Test
  default void purgingAgainChangesNothing_names32() {
    assertThat(names().purge(NOPE)).isFalse();
    fixture().ledger(MYDB, C1, 1);
    assertThat(names().purge(MYDB)).isTrue();
    assertThat(names().purge(MYDB)).isFalse();
    assertThat(names().find(MYDB)).isEmpty();
  }

  @Test
  default void aPurgedNameIsCreatedByAPushToAbsent() {
    fixture().ledger(MYDB, C1, 9);
    names().purge(MYDB);
    names().ledgers().compareAndSetCommit(MYDB, Optional.empty(), Ref.of(C2, 2));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C2, 2));
  }

  @Test
  default void aRestoredLedgerHasItsHeadsBack_decision4_names5_1() {
    fixture().ledger(MYDB, C1, 7);
    names().ledgers().publishIndex(MYDB, Ref.of(I1, 5));
    names().retract(MYDB);
    names().restore(MYDB);
    NameRecord record = fixture().record(MYDB);
    assertThat(record.meta().retracted()).isFalse();
    assertThat(record.status()).isEqualTo(state(3, "ready"));
    assertThat(names().ledgers().heads(MYDB)).contains(new Heads(Ref.of(C1, 7), Ref.of(I1, 5)));
    assertThat(names().ledgers().publishCommit(MYDB, Ref.of(C2, 8)).updated()).isTrue();
    assertThat(names().branches().list("mydb")).hasSize(1);
  }

  @Test
  default void aRestoredRecordHasItsStatusBack() {
    names().create(MYDB);
    String before = "'queue_depth':5,'nested':{'a':[1,2.50]}";
    names()
        .push(
            MYDB,
            Concern.STATUS,
            Optional.of(READY),
            value(7, "{'state':'loading'," + before + "}"));
    for (long v : new long[] {8, 10}) {
      NameRecord retracted = names().retract(MYDB);
      assertThat(retracted.status())
          .isEqualTo(
              value(
                  v,
                  "{'state':'retracted','retracted_at':"
                      + NamesFixture.NOW.getEpochSecond()
                      + ",'status_before':{'state':'loading',"
                      + before
                      + "}}"));
      assertThat(fixture().record(MYDB)).isEqualTo(retracted);
      ConcernValue restored = value(v + 1, "{'state':'loading'," + before + "}");
      assertThat(names().restore(MYDB).status()).isEqualTo(restored);
      assertThat(fixture().get(MYDB, Concern.STATUS)).contains(restored);
    }
  }

  /** The deepest that a parser of JSON takes as a rule is 1,000. */
  @Test
  default void aRestoredRecordHasItsStatusBackHoweverDeepItIs() {
    names().create(MYDB);
    String deep = "{'d':".repeat(999) + "1" + "}".repeat(999);
    ConcernValue status = value(2, "{'state':'loading','more':" + deep + "}");
    names().push(MYDB, Concern.STATUS, Optional.of(READY), status);
    for (long v : new long[] {3, 5}) {
      assertThat(names().retract(MYDB).status().watermark()).isEqualTo(v);
      assertThat(names().restore(MYDB).status())
          .isEqualTo(new ConcernValue(v + 1, status.payload()));
      assertThat(fixture().get(MYDB, Concern.STATUS))
          .contains(new ConcernValue(v + 1, status.payload()));
    }
  }

  @Test
  default void restoringWhatIsNotRetractedChangesNothing() {
    NameRecord before = fixture().ledger(MYDB, C1, 7);
    assertThat(names().restore(MYDB)).isEqualTo(before);
    assertThat(fixture().record(MYDB)).isEqualTo(before);
    assertThatThrownBy(() -> names().restore(NOPE)).isInstanceOf(NotFoundException.class);
  }

  @Test
  default void theStatusCountsOnThroughRetractAndRestore() {
    fixture().names().create(MYDB);
    for (int round = 0; round < 3; round++) {
      names().retract(MYDB);
      names().restore(MYDB);
    }
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(state(7, "ready"));
  }
}
