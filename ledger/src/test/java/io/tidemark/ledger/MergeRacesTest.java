// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.BranchContract.DEV;
import static io.tidemark.ledger.BranchContract.ages;
import static io.tidemark.ledger.BranchContract.ensure;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.LaterCustomer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.internal.branch.BranchMerge;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.branch.MergeOutcome.Conflicted;
import io.tidemark.ledger.internal.branch.MergeOutcome.FastForward;
import io.tidemark.ledger.internal.branch.MergeOutcome.Merged;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Decision 11: a merge is decided on the very heads that it is made of. Either branch moves, goes
 * or changes its types before each request of a merge in turn; what there is in the end is what
 * there would be if the merge had come before or after that.
 */
class MergeRacesTest {

  private static final int EVERY = Boolean.getBoolean("soak") ? 1 : 3;

  /** What another does meanwhile; it takes no notice of the lock of main, so that it can. */
  enum BranchAction {
    TARGET_CONFLICTS {
      @Override
      void perform(SimulatedLedger simulatedLedger) {
        write(simulatedLedger, BranchName.MAIN, Customer.of("c1", 100));
      }
    },
    TARGET_MOVES {
      @Override
      void perform(SimulatedLedger simulatedLedger) {
        write(simulatedLedger, BranchName.MAIN, Customer.of("c9", 9));
      }
    },
    SOURCE_MOVES {
      @Override
      void perform(SimulatedLedger simulatedLedger) {
        write(simulatedLedger, DEV, Customer.of("c1", 7), Product.of("p7"));
      }
    },
    SOURCE_GOES {
      @Override
      void perform(SimulatedLedger simulatedLedger) {
        on(simulatedLedger, BranchName.MAIN, main -> main.branches().drop(DEV));
      }
    },
    SOURCE_IS_MADE_ANEW {
      @Override
      void perform(SimulatedLedger simulatedLedger) {
        SOURCE_GOES.perform(simulatedLedger);
        on(simulatedLedger, BranchName.MAIN, main -> main.branches().createAt(DEV, 1));
        write(simulatedLedger, DEV, Customer.of("c5", 5));
      }
    },
    SOURCE_DROPS_A_TYPE {
      @Override
      void perform(SimulatedLedger simulatedLedger) {
        on(simulatedLedger, DEV, dev -> BranchContract.drop(dev, Models.PRODUCT));
      }
    },
    SOURCE_MIGRATES {
      @Override
      void perform(SimulatedLedger simulatedLedger) {
        on(
            simulatedLedger,
            DEV,
            dev ->
                dev.schemas()
                    .migrate(
                        List.of(RecordType.of(LaterCustomer.class).schema()),
                        Upgraders.none().with(Models.CUSTOMER, 1, row -> row.put("note", "new")),
                        Approval.Force.FORCE,
                        Map.of()));
      }
    };

    abstract void perform(SimulatedLedger simulatedLedger);

    private static void write(
        SimulatedLedger simulatedLedger, BranchName branch, Object... values) {
      on(simulatedLedger, branch, ledger -> ensure(ledger, values));
    }

    private static void on(
        SimulatedLedger simulatedLedger, BranchName branch, Consumer<Ledger> work) {
      Optional<StoredObject> lock = simulatedLedger.store().get(LedgerLayout.LOCK);
      simulatedLedger.store().delete(LedgerLayout.LOCK);
      try (Ledger ledger = BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), branch)) {
        work.accept(ledger);
        ledger.flush();
      }
      lock.ifPresent(
          held ->
              simulatedLedger
                  .store()
                  .put(LedgerLayout.LOCK, Body.of(held.bytes()), Condition.none()));
    }
  }

  private static SimulatedLedger forward() {
    SimulatedLedger simulatedLedger = new SimulatedLedger();
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      ensure(main, Customer.of("c1", 1), Product.of("p1"));
      main.branches().create(DEV);
      try (Ledger dev = BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), DEV)) {
        ensure(dev, Customer.of("c1", 2), Product.of("p2"));
      }
    }
    return simulatedLedger;
  }

  private static SimulatedLedger parted() {
    SimulatedLedger simulatedLedger = forward();
    BranchAction.write(simulatedLedger, BranchName.MAIN, Customer.of("c2", 3));
    return simulatedLedger;
  }

  private static BranchMerge merge(Ledger main) {
    return main.merge(DEV, ConflictResolution.REFUSE);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"TARGET_MOVES", "SOURCE_MOVES", "SOURCE_IS_MADE_ANEW", "SOURCE_DROPS_A_TYPE"})
  void aMoveForwardIsOfTheHeadsThatThereAre(BranchAction other) {
    new Interleaving(MergeRacesTest::forward, main -> merge(main).apply(Map.of()), other::perform)
        .check(EVERY);
  }

  @ParameterizedTest
  @EnumSource(names = {"TARGET_CONFLICTS", "SOURCE_MOVES", "SOURCE_GOES", "SOURCE_MIGRATES"})
  void aMergeIsOfTheHeadsThatThereAre(BranchAction other) {
    new Interleaving(MergeRacesTest::parted, main -> merge(main).apply(Map.of()), other::perform)
        .check(EVERY);
  }

  @Test
  void whatAPreviewSaidIsDecidedAnewWhenItIsDone() {
    SimulatedLedger simulatedLedger = parted();
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      BranchMerge branchMerge = merge(main);
      assertThat(branchMerge.preview()).isInstanceOf(Merged.class);
      ensure(main, Customer.of("c1", 100));
      assertThat(branchMerge.apply(Map.of())).isInstanceOf(Conflicted.class);
      assertThat(ages(main)).containsExactly("c1=100", "c2=3");
      ensure(main, Customer.of("c1", 2));
      assertThat(branchMerge.apply(Map.of()))
          .isInstanceOfSatisfying(Merged.class, done -> assertThat(done.source()).isEqualTo(2));
    }
  }

  @Test
  void aPreviewOfAMoveForwardBecomesAMergeWhenTheTargetHasMoved() {
    SimulatedLedger simulatedLedger = forward();
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      assertThat(merge(main).preview()).isInstanceOf(FastForward.class);
      ensure(main, Customer.of("c9", 9));
      assertThat(merge(main).apply(Map.of())).isInstanceOf(Merged.class);
      assertThat(ages(main)).containsExactly("c1=2", "c9=9");
    }
  }
}
