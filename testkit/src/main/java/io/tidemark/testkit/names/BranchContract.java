// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.C2;
import static io.tidemark.testkit.names.Samples.C5;
import static io.tidemark.testkit.names.Samples.DEV;
import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.NOPE;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.SEARCH;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.json;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Branches;
import io.tidemark.names.Branches.DropOutcome;
import io.tidemark.names.Branches.DropResult;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.DropMode;
import io.tidemark.names.EditDecision;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.LedgerDropResult;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.Ref;
import io.tidemark.names.RefusedException;
import io.tidemark.names.SourceType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Branches: made, listed, dropped at once, later, or with the last that was made from them. */
interface BranchContract {

  NamesFixture fixture();

  private Branches branches() {
    return fixture().names().branches();
  }

  private int children(Address address) {
    return fixture().record(address).meta().branches();
  }

  /** main, from it dev, from that feature. */
  private Address lineOfThree() {
    fixture().ledger(MYDB, C5, 5);
    branches().create(MYDB, "dev", Optional.empty());
    branches().create(DEV, "feature", Optional.empty());
    return Address.parse("mydb:feature");
  }

  @Test
  default void aBranchStartsAtTheHeadOfItsSource_names33() {
    fixture().ledger(MYDB, C5, 5);
    fixture().names().ledgers().publishIndex(MYDB, Ref.of(I1, 5));
    fixture()
        .names()
        .push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), value(4, "{'a':1}"));
    NameRecord made = branches().create(MYDB, "dev", Optional.empty());

    NameRecord dev = fixture().record(DEV);
    assertThat(dev).isEqualTo(made);
    assertThat(dev.commit()).isEqualTo(Ref.of(C5, 5));
    assertThat(dev.index()).isEqualTo(ConcernValue.UNBORN);
    assertThat(dev.config()).isEqualTo(ConcernValue.UNBORN);
    assertThat(dev.status()).isEqualTo(READY);
    assertThat(dev.meta().sourceBranch()).contains("main");
    assertThat(dev.meta().branches()).isZero();
    assertThat(children(MYDB)).isEqualTo(1);
  }

  @Test
  default void makingABranchLeavesTheConcernsOfItsSource_names33() {
    NameRecord before = fixture().ledger(MYDB, C5, 5);
    branches().create(MYDB, "dev", Optional.empty());
    NameRecord after = fixture().record(MYDB);
    for (Concern concern : Concern.values()) {
      assertThat(after.concern(concern)).isEqualTo(before.concern(concern));
    }
    assertThat(after.meta().sourceBranch()).isEmpty();
  }

  @Test
  default void aBranchStartsAtAGivenCommit_names34() {
    fixture().ledger(MYDB, C5, 5);
    branches().create(MYDB, "dev", Optional.of(Ref.of(C1, 1)));
    assertThat(fixture().get(DEV, Concern.HEAD)).contains(head(C1, 1));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C5, 5));
  }

  @Test
  default void aBranchIsMadeOnce_names34() {
    fixture().ledger(MYDB, C5, 5);
    NameRecord made = branches().create(MYDB, "dev", Optional.empty());
    assertThatThrownBy(() -> branches().create(MYDB, "dev", Optional.of(Ref.of(C1, 1))))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("mydb:dev");
    assertThat(fixture().record(DEV)).isEqualTo(made);
    assertThat(children(MYDB)).isEqualTo(1);
    assertThatThrownBy(() -> branches().create(MYDB, "main", Optional.empty()))
        .isInstanceOf(AlreadyExistsException.class);
  }

  @Test
  default void aRetractedBranchKeepsItsName_names34() {
    fixture().ledger(MYDB, C5, 5);
    branches().create(MYDB, "dev", Optional.empty());
    fixture().names().retract(DEV);
    assertThatThrownBy(() -> branches().create(MYDB, "dev", Optional.empty()))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("retracted");
  }

  @Test
  default void aBranchNeedsASource_names34() {
    assertThatThrownBy(() -> branches().create(NOPE, "dev", Optional.empty()))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("nope:main");
    assertThatThrownBy(() -> branches().create(NOPE, "dev", Optional.of(Ref.of(C1, 1))))
        .isInstanceOf(NotFoundException.class);
    assertThat(fixture().listed()).isEmpty();
  }

  @Test
  default void aBranchOfAGraphSourceIsRefused_names47() {
    fixture().names().graphSources().publish(SEARCH, SourceType.BM25, json("{}"), List.of());
    assertThatThrownBy(() -> branches().create(SEARCH, "dev", Optional.of(Ref.of(C1, 1))))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("there is no ledger search:main but a graph source");
    assertThatThrownBy(() -> branches().drop(SEARCH))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("there is no ledger search:main but a graph source");
    assertThat(fixture().listed()).containsExactly("search:main");
  }

  @Test
  default void aBranchNeedsACommit() {
    fixture().names().create(MYDB);
    assertThatThrownBy(() -> branches().create(MYDB, "dev", Optional.empty()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("mydb:main");
    assertThat(fixture().listed()).containsExactly("mydb:main");
    assertThat(children(MYDB)).isZero();
  }

  @Test
  default void aBranchMovesByItself() {
    fixture().ledger(MYDB, C5, 5);
    branches().create(MYDB, "dev", Optional.empty());
    fixture().names().ledgers().publishCommit(DEV, Ref.of(C2, 6));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C5, 5));
    fixture().names().ledgers().publishCommit(MYDB, Ref.of(C1, 7));
    assertThat(fixture().get(DEV, Concern.HEAD)).contains(head(C2, 6));
  }

  @Test
  default void branchesAreListedInOrder() {
    fixture().ledger(MYDB, C5, 5);
    for (String branch : List.of("release/v1.0", "dev", "a", "zeta")) {
      branches().create(MYDB, branch, Optional.empty());
    }
    fixture().ledger(Address.parse("mydb2"), C1, 1);
    fixture().ledger(Address.parse("mydb/sub"), C1, 1);
    fixture().ledger(Address.parse("my"), C1, 1);
    assertThat(branches().list("mydb"))
        .extracting(record -> record.address().branch())
        .containsExactly("a", "dev", "main", "release/v1.0", "zeta");
    assertThat(children(MYDB)).isEqualTo(4);
  }

  @Test
  default void aNameIsNotTakenForABranchOfAnother_names5_7() {
    fixture().ledger(Address.parse("tenant/db:main"), C1, 1);
    assertThat(branches().list("tenant")).isEmpty();
    assertThat(branches().list("tenant/db"))
        .extracting(record -> record.address().toString())
        .containsExactly("tenant/db:main");
  }

  @Test
  default void aLeafIsDroppedAtOnce_names36() {
    fixture().ledger(MYDB, C5, 5);
    branches().create(MYDB, "dev", Optional.empty());
    assertThat(branches().drop(DEV)).isEqualTo(new DropResult(DropOutcome.GONE, List.of()));
    assertThat(children(MYDB)).isZero();
    assertThat(fixture().names().find(DEV)).isEmpty();
    for (Concern concern : Concern.values()) {
      assertThat(fixture().get(DEV, concern)).isEmpty();
    }
  }

  @Test
  default void aRootIsNotDropped_names36() {
    NameRecord before = fixture().ledger(MYDB, C5, 5);
    assertThatThrownBy(() -> branches().drop(MYDB))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("root");
    assertThat(fixture().record(MYDB)).isEqualTo(before);
  }

  @Test
  default void whatIsNotThereIsNotDropped_names36() {
    assertThatThrownBy(() -> branches().drop(NOPE)).isInstanceOf(NotFoundException.class);
    fixture().ledger(MYDB, C5, 5);
    branches().create(MYDB, "dev", Optional.empty());
    branches().drop(DEV);
    assertThatThrownBy(() -> branches().drop(DEV)).isInstanceOf(NotFoundException.class);
    assertThat(children(MYDB)).isZero();
  }

  @Test
  default void aBranchWithChildrenIsNotPurged_names37_names5_8() {
    Address feature = lineOfThree();
    NameRecord before = fixture().record(DEV);
    assertThatThrownBy(() -> fixture().names().purge(DEV))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("mydb:dev")
        .hasMessageContaining("still has 1 child branch(es)");
    assertThatThrownBy(() -> fixture().names().purge(MYDB)).isInstanceOf(RefusedException.class);
    assertThat(fixture().record(DEV)).isEqualTo(before);
    assertThat(fixture().names().find(feature)).isPresent();
    fixture().names().purge(feature);
    fixture().names().purge(DEV);
    fixture().names().purge(MYDB);
    assertThat(fixture().listed()).isEmpty();
  }

  @Test
  default void purgingABranchIsCountedByItsSource() {
    Address feature = lineOfThree();
    assertThat(children(DEV)).isEqualTo(1);
    fixture().names().purge(feature);
    assertThat(children(DEV)).isZero();
    assertThat(children(MYDB)).isEqualTo(1);
  }

  @Test
  default void aBranchWithChildrenIsDroppedWithTheLastOfThem_names38() {
    Address feature = lineOfThree();
    assertThat(branches().drop(DEV)).isEqualTo(new DropResult(DropOutcome.DEFERRED, List.of()));
    assertThat(fixture().record(DEV).meta().retracted()).isTrue();
    assertThat(children(MYDB)).isEqualTo(1);
    assertThat(branches().drop(DEV))
        .isEqualTo(new DropResult(DropOutcome.ALREADY_RETRACTED, List.of()));
    assertThat(branches().drop(feature)).isEqualTo(new DropResult(DropOutcome.GONE, List.of(DEV)));
    assertThat(fixture().names().find(DEV)).isEmpty();
    assertThat(children(MYDB)).isZero();
    assertThat(fixture().listed()).containsExactly("mydb:main");
  }

  @Test
  default void droppingCascadesThroughAllThatWait_names38() {
    Address feature = lineOfThree();
    branches().create(feature, "fix", Optional.empty());
    branches().drop(DEV);
    branches().drop(feature);
    assertThat(branches().drop(Address.parse("mydb:fix")))
        .isEqualTo(new DropResult(DropOutcome.GONE, List.of(feature, DEV)));
    assertThat(fixture().listed()).containsExactly("mydb:main");
    assertThat(children(MYDB)).isZero();
  }

  @Test
  default void aDropThatWasBrokenOffIsFinishedByDoingItAgain() {
    Address feature = lineOfThree();
    branches().drop(DEV);
    fixture().backend().edit(feature, seen -> EditDecision.remove()); // the process dies here
    assertThat(branches().unfinished("mydb").waiting()).containsExactly(DEV);
    assertThat(branches().drop(feature)).isEqualTo(new DropResult(DropOutcome.GONE, List.of(DEV)));
    assertThat(branches().unfinished("mydb").waiting()).isEmpty();
    assertThat(fixture().listed()).containsExactly("mydb:main");
    assertThat(children(MYDB)).isZero();
  }

  @Test
  default void aDropThatWasBrokenOffIsFinishedByItsName() {
    Address feature = lineOfThree();
    branches().drop(DEV);
    fixture().backend().edit(feature, seen -> EditDecision.remove());
    assertThat(branches().finishDrops("mydb")).containsExactly(DEV);
    assertThat(branches().finishDrops("mydb")).isEmpty();
    assertThat(fixture().listed()).containsExactly("mydb:main");
    assertThat(children(MYDB)).isZero();
  }

  @Test
  default void aRetractedBranchIsToldWhenItsLastBranchIsDropped() {
    Address feature = lineOfThree();
    fixture().names().retract(DEV);
    assertThat(branches().drop(feature))
        .isEqualTo(new DropResult(DropOutcome.GONE, List.of(), List.of(DEV)));
    assertThat(branches().unfinished("mydb").retracted()).containsExactly(DEV);
    assertThat(branches().drop(DEV)).isEqualTo(new DropResult(DropOutcome.GONE, List.of()));
    assertThat(branches().unfinished("mydb").retracted()).isEmpty();
  }

  @Test
  default void droppingCascadesOnlyWhenTheLastChildIsGone_names38() {
    Address feature = lineOfThree();
    branches().create(DEV, "second", Optional.empty());
    branches().drop(DEV);
    assertThat(branches().drop(feature)).isEqualTo(new DropResult(DropOutcome.GONE, List.of()));
    assertThat(children(DEV)).isEqualTo(1);
    assertThat(branches().drop(Address.parse("mydb:second")))
        .isEqualTo(new DropResult(DropOutcome.GONE, List.of(DEV)));
  }

  @Test
  default void aRetractedRootIsNotDroppedWithItsLastBranch_names38() {
    fixture().ledger(MYDB, C5, 5);
    branches().create(MYDB, "dev", Optional.empty());
    fixture().names().retract(MYDB);
    assertThat(branches().drop(DEV)).isEqualTo(new DropResult(DropOutcome.GONE, List.of()));
    assertThat(fixture().record(MYDB).meta().retracted()).isTrue();
    assertThat(children(MYDB)).isZero();
  }

  @Test
  default void aLeafThatWasRetractedIsDropped() {
    fixture().ledger(MYDB, C5, 5);
    branches().create(MYDB, "dev", Optional.empty());
    fixture().names().retract(DEV);
    assertThat(branches().drop(DEV)).isEqualTo(new DropResult(DropOutcome.GONE, List.of()));
    assertThat(fixture().listed()).containsExactly("mydb:main");
  }

  @Test
  default void aDeferredDropIsUndoneByRestoring() {
    Address feature = lineOfThree();
    branches().drop(DEV);
    fixture().names().restore(DEV);
    assertThat(branches().drop(feature)).isEqualTo(new DropResult(DropOutcome.GONE, List.of()));
    assertThat(fixture().record(DEV).meta().retracted()).isFalse();
  }

  @Test
  default void whatIsARootIsNotAMatterOfItsName_names39() {
    Address trunk = Address.parse("mydb:trunk");
    fixture().ledger(trunk, C5, 5);
    branches().create(trunk, "main", Optional.empty());
    assertThatThrownBy(() -> branches().drop(trunk))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("root")
        .hasMessageContaining("trunk");
    assertThat(branches().drop(MYDB)).isEqualTo(new DropResult(DropOutcome.GONE, List.of()));
    assertThat(fixture().listed()).containsExactly("mydb:trunk");
  }

  @ParameterizedTest
  @EnumSource(DropMode.class)
  default void aLedgerIsDroppedByItsNameAlone_names39(DropMode mode) {
    fixture().ledger(MYDB, C5, 5);
    for (String branch : List.of("mydb:main", "mydb:dev", "mydb:")) {
      assertThatThrownBy(() -> fixture().names().ledgers().drop(branch, mode))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(branch)
          .hasMessageContaining("drop the branch");
    }
    assertThatThrownBy(() -> fixture().names().ledgers().drop("../x", mode))
        .isInstanceOf(InvalidAddressException.class);
    assertThatThrownBy(() -> fixture().names().ledgers().drop("nope", mode))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("there is no ledger nope");
    assertThat(fixture().record(MYDB).meta().retracted()).isFalse();
  }

  @Test
  default void aSoftDropRetractsEveryBranchOfALedger_names39() {
    Address feature = lineOfThree();
    fixture().ledger(Address.parse("mydb/sub"), C5, 5);
    fixture().names().retract(DEV);
    Ledgers ledgers = fixture().names().ledgers();
    assertThat(ledgers.drop("mydb", DropMode.RETRACT))
        .isEqualTo(new LedgerDropResult(LedgerDropResult.Outcome.DROPPED, List.of(feature, MYDB)));
    assertThat(branches().list("mydb")).isEmpty();
    assertThat(fixture().record(MYDB).commit()).isEqualTo(Ref.of(C5, 5));
    assertThat(fixture().record(Address.parse("mydb/sub")).meta().retracted()).isFalse();
    assertThat(ledgers.drop("mydb", DropMode.RETRACT))
        .isEqualTo(new LedgerDropResult(LedgerDropResult.Outcome.ALREADY_RETRACTED, List.of()));
    assertThat(fixture().names().restore(feature).meta().retracted()).isFalse();
  }

  @Test
  default void aHardDropPurgesEveryBranchOfALedger_names39() {
    Address feature = lineOfThree();
    fixture().ledger(Address.parse("mydb/sub"), C5, 5);
    fixture().names().retract(DEV);
    Ledgers ledgers = fixture().names().ledgers();
    assertThat(ledgers.drop("mydb", DropMode.PURGE))
        .isEqualTo(
            new LedgerDropResult(LedgerDropResult.Outcome.DROPPED, List.of(feature, DEV, MYDB)));
    assertThat(fixture().listed()).containsExactly("mydb/sub:main");
    assertThatThrownBy(() -> ledgers.drop("mydb", DropMode.PURGE))
        .isInstanceOf(NotFoundException.class);
    assertThat(fixture().names().create(MYDB).commit()).isEqualTo(Ref.UNBORN);
  }

  @Test
  default void aDropOfALedgerLeavesGraphSourcesOfItsName_names39() {
    fixture().ledger(MYDB, C5, 5);
    Address search = Address.parse("mydb:search");
    fixture().names().graphSources().publish(search, SourceType.BM25, json("{}"), List.of());
    fixture().names().ledgers().drop("mydb", DropMode.PURGE);
    assertThat(fixture().listed()).containsExactly("mydb:search");
  }

  @Test
  default void aMissingSourceIsNotBroughtBackByADrop_names5_8() {
    fixture().ledger(MYDB, C5, 5);
    NameRecord dev = branches().create(MYDB, "dev", Optional.empty());
    // What a crash, or somebody with other tools, may leave: a branch whose source is gone.
    assertThat(fixture().backend().edit(MYDB, seen -> EditDecision.remove())).isPresent();
    assertThat(dev.meta().sourceBranch()).contains("main");
    assertThat(branches().drop(DEV)).isEqualTo(new DropResult(DropOutcome.GONE, List.of()));
    assertThat(fixture().listed()).isEmpty();
    fixture().names().create(MYDB);
    assertThat(children(MYDB)).isZero();
  }

  @Test
  default void aWrongCountIsRepairedAndNeverTrusted_decision10_names5_8() {
    Address feature = lineOfThree();
    fixture().backend().edit(DEV, seen -> EditDecision.replace(seen, withBranches(seen, 0)));
    assertThatThrownBy(() -> fixture().names().purge(DEV)).isInstanceOf(RefusedException.class);
    assertThat(branches().drop(DEV).dropped()).isEqualTo(DropOutcome.DEFERRED);

    fixture().backend().edit(MYDB, seen -> EditDecision.replace(seen, withBranches(seen, 7)));
    branches().drop(feature);
    assertThat(children(MYDB)).isZero();
  }

  private static NameRecord withBranches(NameRecord record, int branches) {
    return record.withMeta(record.meta().withBranches(branches));
  }

  @Test
  default void aBranchNameIsChecked_names43() {
    NameRecord before = fixture().ledger(MYDB, C5, 5);
    for (String bad : AddressContract.BAD_BRANCHES) {
      assertThatThrownBy(() -> branches().create(MYDB, bad, Optional.empty()))
          .as("branch \"%s\"", bad)
          .isInstanceOf(InvalidAddressException.class);
    }
    assertThat(fixture().listed()).containsExactly("mydb:main");
    assertThat(fixture().record(MYDB)).isEqualTo(before);
  }
}
