// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.BranchContract.DEV;
import static io.tidemark.ledger.BranchContract.ensure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.LaterCustomer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.internal.branch.Branch;
import io.tidemark.ledger.internal.branch.BranchStore.CreateResult;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Decision 11 when somebody is slow: while a branch is made or dropped, another does something to
 * the same branch or to the one it is made from, before each request of the first in turn. What
 * there is in the end is what there would be if one had come after the other. And a request that
 * arrives when everybody has forgotten it does no harm.
 */
class BranchRacesTest {

  private static final String HEAD = "branches/dev/meta/head.json";

  /** What is done by one or by the other; it may fail when the other was faster. */
  enum BranchAction {
    CREATE_AT_TWO {
      @Override
      void perform(Ledger main) {
        main.branches().createAt(DEV, 2);
      }
    },
    CREATE_AT_HEAD {
      @Override
      void perform(Ledger main) {
        main.branches().create(DEV);
      }
    },
    CREATE_AT_ONE {
      @Override
      void perform(Ledger main) {
        main.branches().createAt(DEV, 1);
      }
    },
    DROP {
      @Override
      void perform(Ledger main) {
        main.branches().drop(DEV);
      }
    },
    CREATE_AND_DROP {
      @Override
      void perform(Ledger main) {
        CREATE_AT_ONE.perform(main);
        DROP.perform(main);
      }
    },
    DROP_AND_CREATE {
      @Override
      void perform(Ledger main) {
        DROP.perform(main);
        CREATE_AT_ONE.perform(main);
      }
    },
    MIGRATE {
      @Override
      void perform(Ledger main) {
        main.schemas()
            .migrate(
                List.of(RecordType.of(LaterCustomer.class).schema()),
                Upgraders.none().with(Models.CUSTOMER, 1, row -> row.put("note", "upgraded")),
                Approval.Force.FORCE,
                Map.of());
      }
    },
    DROP_TYPE {
      @Override
      void perform(Ledger main) {
        BranchContract.drop(main, Models.PRODUCT);
      }
    };

    abstract void perform(Ledger main);
  }

  private static SimulatedLedger world(boolean branched) {
    SimulatedLedger simulatedLedger = new SimulatedLedger();
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      ensure(main, Customer.of("c1", 1));
      ensure(main, Customer.of("c1", 2), Product.of("p1"));
      if (branched) {
        main.branches().create(DEV);
        try (Ledger dev = BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), DEV)) {
          ensure(dev, Customer.of("c1", 3), Product.of("p2"));
        }
      }
    }
    return simulatedLedger;
  }

  private static void perform(SimulatedLedger simulatedLedger, BranchAction branchAction) {
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      branchAction.perform(main);
      main.flush();
    }
  }

  private static List<String> oneAfterTheOther(
      boolean branched, BranchAction first, BranchAction second) {
    SimulatedLedger simulatedLedger = world(branched);
    perform(simulatedLedger, first);
    perform(simulatedLedger, second);
    return Interleaving.told(simulatedLedger);
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE_AT_ONE", "DROP", "CREATE_AND_DROP", "DROP_AND_CREATE"})
  void nobodyHarmsWhatAnotherMadeWhileABranchIsMade(BranchAction other) {
    race(BranchAction.CREATE_AT_TWO, other, false);
  }

  @ParameterizedTest
  @EnumSource(names = {"MIGRATE", "DROP_TYPE"})
  void aBranchHasTheTypesOfItsCommitWhateverBecomesOfThemMeanwhile(BranchAction other) {
    race(BranchAction.CREATE_AT_HEAD, other, false);
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE_AT_ONE", "DROP", "DROP_AND_CREATE"})
  void nobodyHarmsWhatAnotherMadeWhileABranchIsDropped(BranchAction other) {
    race(BranchAction.DROP, other, true);
  }

  private static void race(BranchAction slow, BranchAction other, boolean branched) {
    new Interleaving(
            () -> world(branched),
            slow::perform,
            simulatedLedger -> perform(simulatedLedger, other))
        .check(Boolean.getBoolean("soak") ? 1 : 2);
  }

  @Test
  void droppingOneBranchOnceMoreLeavesTheNextOfItsNameToWhoMakesIt() {
    SimulatedLedger simulatedLedger = world(true);
    FaultyBackend faulty = new FaultyBackend(simulatedLedger.bytes());
    try (Ledger main = BranchCrashTest.on(simulatedLedger, faulty, BranchName.MAIN)) {
      Branch first = main.branches().find(DEV).orElseThrow();
      assertThat(main.branches().drop(first)).isTrue();
      AtomicBoolean again = new AtomicBoolean(true);
      faulty.next(
          Operation.PUT,
          HEAD,
          BackendFault.runBefore(() -> again.set(main.branches().drop(first))));

      assertThat(main.branches().createAt(DEV, 1)).isInstanceOf(CreateResult.Created.class);

      assertThat(again).as("there was one to be dropped").isFalse();
      assertThat(main.branches().drop(first)).isFalse();
    }
    assertThat(Interleaving.told(simulatedLedger))
        .isEqualTo(oneAfterTheOther(false, BranchAction.CREATE_AT_ONE, BranchAction.CREATE_AT_ONE));
  }

  @Test
  void aHeadThatArrivesAfterTheDropBringsNoBranchBack() {
    SimulatedLedger simulatedLedger = world(false);
    FaultyBackend faulty = new FaultyBackend(simulatedLedger.bytes());
    try (Ledger main = BranchCrashTest.on(simulatedLedger, faulty, BranchName.MAIN)) {
      faulty.next(Operation.PUT, HEAD, BackendFault.arriveLate(1_000));
      faulty.always(Operation.HEAD, BackendFault.unavailable());
      assertThatThrownBy(() -> main.branches().create(DEV))
          .isInstanceOf(OutcomeUnknownException.class);
      faulty.clearFaults();
      assertThat(main.branches().drop(DEV)).as("there is none yet").isFalse();
      faulty.deliverLateWrites();

      assertThat(main.branches().find(DEV)).as("nor is there afterwards").isEmpty();
      assertThat(main.branches().createAt(DEV, 1)).isInstanceOf(CreateResult.Created.class);
      faulty.deliverLateWrites();
      assertThat(main.branches().find(DEV)).map(branch -> branch.head()).contains(1L);
    }
  }

  @Test
  void aHeadThatArrivesAfterAnotherMadeAndDroppedTheBranchBringsNoneBack() {
    SimulatedLedger simulatedLedger = world(false);
    perform(simulatedLedger, BranchAction.CREATE_AND_DROP);
    FaultyBackend faulty = new FaultyBackend(simulatedLedger.bytes());
    try (Ledger main = BranchCrashTest.on(simulatedLedger, faulty, BranchName.MAIN)) {
      faulty.next(Operation.PUT, HEAD, BackendFault.arriveLate(1_000));
      faulty.always(Operation.HEAD, BackendFault.unavailable());
      assertThatThrownBy(() -> main.branches().create(DEV))
          .isInstanceOf(OutcomeUnknownException.class);
      faulty.clearFaults();
      perform(simulatedLedger, BranchAction.CREATE_AND_DROP);
      faulty.deliverLateWrites();

      assertThat(main.branches().find(DEV)).isEmpty();
    }
  }

  @Test
  void aCommitThatArrivesAfterTheDropIsNotOfTheNextBranch() {
    SimulatedLedger simulatedLedger = world(true);
    FaultyBackend faulty = new FaultyBackend(simulatedLedger.bytes());
    try (Ledger dev = BranchCrashTest.on(simulatedLedger, faulty, DEV)) {
      faulty.next(Operation.PUT, HEAD, BackendFault.arriveLate(1_000));
      faulty.always(Operation.HEAD, BackendFault.unavailable());
      assertThatThrownBy(() -> ensure(dev, Customer.of("c1", 4)))
          .isInstanceOf(OutcomeUnknownException.class);
      faulty.clearFaults();
      perform(simulatedLedger, BranchAction.DROP);
      faulty.deliverLateWrites();
      assertThat(Interleaving.told(simulatedLedger)).noneMatch(line -> line.startsWith("dev"));
      perform(simulatedLedger, BranchAction.CREATE_AT_ONE);

      assertThatThrownBy(() -> ensure(dev, Customer.of("c1", 5)))
          .as("who has the old one open doesn't write to the new one")
          .isInstanceOf(UninitializedLedgerException.class);
    }
    assertThat(Interleaving.told(simulatedLedger))
        .isEqualTo(oneAfterTheOther(false, BranchAction.CREATE_AT_ONE, BranchAction.CREATE_AT_ONE));
  }

  @Test
  void aDeletionThatArrivesLateMeetsNothingOfTheNextBranch() {
    SimulatedLedger simulatedLedger = world(true);
    FaultyBackend faulty = new FaultyBackend(simulatedLedger.bytes());
    try (Ledger main = BranchCrashTest.on(simulatedLedger, faulty, BranchName.MAIN)) {
      for (int i = 0; i < 3; i++) {
        faulty.next(Operation.DELETE, BackendFault.arriveLate(1_000));
      }
      main.branches().drop(DEV);
      assertThat(faulty.pendingFaults()).isZero();
      perform(simulatedLedger, BranchAction.CREATE_AT_ONE);
      faulty.deliverLateWrites();
    }
    assertThat(Interleaving.told(simulatedLedger))
        .isEqualTo(oneAfterTheOther(false, BranchAction.CREATE_AT_ONE, BranchAction.CREATE_AT_ONE));
  }
}
