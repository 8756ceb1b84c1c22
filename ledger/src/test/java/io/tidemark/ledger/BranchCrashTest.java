// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.BranchContract.DEV;
import static io.tidemark.ledger.BranchContract.ensure;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.internal.branch.Branch;
import io.tidemark.ledger.internal.branch.BranchStore.CreateResult;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.branch.MergeOutcome;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.TidemarkException;
import io.tidemark.testkit.objects.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The process that makes, drops or merges a branch dies before each of its writes in turn, which is
 * after the one before. Another does the same thing then, and what there is in the end is what
 * there would be if nothing had happened.
 */
class BranchCrashTest {

  private static final LedgerOptions OPTIONS = LedgerOptions.standard();

  /** What is done with branches; doing it again has the same end. */
  enum Work {
    CREATE {
      @Override
      void perform(Ledger main) {
        assertThat(main.branches().createAt(DEV, 2)).isInstanceOf(CreateResult.Created.class);
      }
    },
    DROP {
      @Override
      void prepare(SimulatedLedger simulatedLedger, Ledger main) {
        write(simulatedLedger, main, DEV, Customer.of("c1", 9));
      }

      @Override
      void perform(Ledger main) {
        main.branches().drop(DEV);
      }
    },
    FORWARD {
      @Override
      void prepare(SimulatedLedger simulatedLedger, Ledger main) {
        write(simulatedLedger, main, DEV, Customer.of("c1", 9), Product.of("p9"));
        try (Ledger dev = on(simulatedLedger, simulatedLedger.bytes(), DEV);
            Session session = dev.session(RecordType.of(Models.Person.class))) {
          session.ensure(new Models.Person("x", "X")).commit();
        }
      }

      @Override
      void perform(Ledger main) {
        assertThat(main.merge(DEV, ConflictResolution.REFUSE).apply(Map.of()))
            .isNotInstanceOf(MergeOutcome.Conflicted.class);
      }
    },
    MERGE {
      @Override
      void prepare(SimulatedLedger simulatedLedger, Ledger main) {
        FORWARD.prepare(simulatedLedger, main);
        ensure(main, Customer.of("c2", 20));
      }

      @Override
      void perform(Ledger main) {
        FORWARD.perform(main);
      }
    };

    void prepare(SimulatedLedger simulatedLedger, Ledger main) {}

    abstract void perform(Ledger main);

    static void write(
        SimulatedLedger simulatedLedger, Ledger main, BranchName branch, Object... values) {
      main.branches().create(branch);
      try (Ledger dev = on(simulatedLedger, simulatedLedger.bytes(), branch)) {
        ensure(dev, values);
      }
    }
  }

  static Ledger on(SimulatedLedger simulatedLedger, ObjectBackend backend, BranchName branch) {
    LedgerObjects objects = new LedgerObjects(simulatedLedger.store(backend), "");
    return Ledger.open(
        objects.forBranch(branch), OPTIONS.withWriter(simulatedLedger.writer("someone")));
  }

  private static SimulatedLedger world(Work work) {
    SimulatedLedger simulatedLedger = new SimulatedLedger();
    try (Ledger main = on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      ensure(main, Customer.of("c1", 1), Customer.of("c2", 2), Product.of("p1"));
      ensure(main, Customer.of("c1", 2));
      work.prepare(simulatedLedger, main);
    }
    return simulatedLedger;
  }

  /** Every branch with its commits, its rows and its types. */
  static List<String> told(SimulatedLedger simulatedLedger) {
    List<String> told = new ArrayList<>();
    try (Ledger main = on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      for (Branch branch : main.branches().list()) {
        try (Ledger ledger = on(simulatedLedger, simulatedLedger.bytes(), branch.name())) {
          ledger
              .log()
              .newestFirst(0)
              .forEach(c -> told.add(branch.name() + " " + c.id() + " " + c.operations()));
          LedgerReader ledgerReader = ledger.reader();
          new TreeSet<>(ledgerReader.types())
              .forEach(
                  type -> {
                    told.add(branch.name() + " " + type + " " + ledgerReader.schemas(type).size());
                    ledgerReader.asOf(
                        type, ledgerReader.commitId(), row -> told.add(branch.name() + " " + row));
                  });
        }
      }
    }
    return told;
  }

  @ParameterizedTest
  @EnumSource
  void whoeverComesAfterADeathCompletesIt(Work work) {
    SimulatedLedger calm = world(work);
    FaultingBackend recording = new FaultingBackend(calm.bytes());
    try (Ledger main = on(calm, recording, BranchName.MAIN)) {
      recording.record();
      work.perform(main);
      main.flush();
    }
    List<String> expected = told(calm);
    List<RequestKey> requests =
        recording.requests().stream().filter(BranchCrashTest::changesSomething).toList();
    assertThat(requests).hasSizeGreaterThan(5);
    List<String> failures = new ArrayList<>();
    for (RequestKey request : requests) {
      List<String> found = afterDeath(work, request);
      if (!found.equals(expected)) {
        failures.add(request + ": " + found);
      }
    }
    assertThat(failures).as("instead of " + expected).isEmpty();
  }

  private static boolean changesSomething(RequestKey request) {
    return request.operation() == Operation.PUT || request.operation() == Operation.DELETE;
  }

  private static List<String> afterDeath(Work work, RequestKey request) {
    SimulatedLedger simulatedLedger = world(work);
    FaultingBackend faultingBackend = new FaultingBackend(simulatedLedger.bytes());
    try (Ledger main = on(simulatedLedger, faultingBackend, BranchName.MAIN)) {
      faultingBackend.choose(request, FaultingBackend.FaultMode.DIES_BEFORE);
      work.perform(main);
    } catch (TidemarkException e) {
      faultingBackend.die(); // nor does it say anything on closing
    }
    try (Ledger main = on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      work.perform(main);
      main.flush();
      assertThat(main.indices().verify(IndexMaintenance.Depth.EVERY_COMMIT).holes()).isEmpty();
    }
    return told(simulatedLedger);
  }
}
