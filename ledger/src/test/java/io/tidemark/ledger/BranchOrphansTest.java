// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.BranchContract.DEV;
import static io.tidemark.ledger.BranchContract.ensure;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.OrphanCollector.Orphan;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.Condition;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** F32 and decision 11: what is cleaned up is of no branch, nor of one that is being made. */
class BranchOrphansTest {

  private static SimulatedLedger world() {
    SimulatedLedger simulatedLedger = new SimulatedLedger();
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      ensure(main, Customer.of("c1", 1));
      ensure(main, Customer.of("c1", 2));
    }
    return simulatedLedger;
  }

  private static SimulatedLedger branched() {
    SimulatedLedger simulatedLedger = world();
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      main.branches().create(DEV);
    }
    try (Ledger dev = BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), DEV)) {
      ensure(dev, Customer.of("c1", 3));
    }
    return simulatedLedger;
  }

  /** What is found after as long as makes all old that there is. */
  private static List<Orphan> clean(SimulatedLedger simulatedLedger) {
    simulatedLedger.clock().jump(OrphanCollector.SAFE_AGE.multipliedBy(2));
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      List<Orphan> found = main.orphans().find(OrphanCollector.SAFE_AGE);
      found.forEach(main.orphans()::delete);
      return found;
    }
  }

  @Test
  void aBranchWhoseMakerIsSilentForLongIsWholeOrIsntMade() {
    new Interleaving(
            BranchOrphansTest::world,
            main -> main.branches().createAt(DEV, 2),
            simulatedLedger -> {
              List<Orphan> unused = clean(simulatedLedger);
            })
        .check(1);
  }

  private static SimulatedLedger purgeable() {
    SimulatedLedger simulatedLedger = world();
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      BranchContract.drop(main, Models.CUSTOMER);
    }
    return simulatedLedger;
  }

  private static void createThenDie(
      SimulatedLedger simulatedLedger, FaultingBackend faultingBackend) {
    faultingBackend.choose(
        new RequestKey(Operation.PUT, "branches/dev/meta/head.json", 1),
        FaultingBackend.FaultMode.DIES_AFTER);
    try (Ledger main = BranchCrashTest.on(simulatedLedger, faultingBackend, BranchName.MAIN)) {
      main.branches().createAt(DEV, 1);
    } catch (TidemarkException e) {
      faultingBackend.die(); // nor does it say anything on closing
    }
  }

  @Test
  void aBranchWhoseMakerDiesWhileFilesArePurgedIsWholeOrIsntThere() {
    SimulatedLedger whole = purgeable();
    createThenDie(whole, new FaultingBackend(whole.bytes()));
    assertThat(clean(whole)).isNotEmpty();
    SimulatedLedger none = purgeable();
    assertThat(clean(none)).isNotEmpty();
    List<List<String>> possible = List.of(BranchCrashTest.told(whole), BranchCrashTest.told(none));
    assertThat(possible.get(0)).anyMatch(line -> line.startsWith("dev ") && line.contains("c1"));

    AtomicInteger left = new AtomicInteger();
    for (int number = 1; left.get() <= 0; number++) {
      SimulatedLedger simulatedLedger = purgeable();
      left.set(number);
      FaultyBackend faulty = new FaultyBackend(simulatedLedger.bytes());
      faulty.next(
          (operation, key) -> left.decrementAndGet() == 0,
          BackendFault.runBefore(() -> assertThat(clean(simulatedLedger)).isNotEmpty()));
      createThenDie(simulatedLedger, new FaultingBackend(faulty));

      assertThat(possible)
          .as("after files were purged before request %d", number)
          .contains(BranchCrashTest.told(simulatedLedger));
    }
  }

  @Test
  void whatIsLeftOfATryGoesWhetherThereIsABranchOfTheNameOrNot() {
    SimulatedLedger simulatedLedger = branched();
    LedgerObjects objects = new LedgerObjects(simulatedLedger.store(), "");
    for (String path :
        List.of("branches/dev/0-dead/meta/x.json", "branches/a/0-dead/meta/x.json")) {
      objects.write(path, CanonicalJson.object(), Condition.none());
    }

    assertThat(clean(simulatedLedger))
        .extracting(Orphan::directory)
        .containsExactly("branches/a/0-dead/", "branches/dev/0-dead/");
    assertThat(clean(simulatedLedger)).isEmpty();
    assertThat(BranchCrashTest.told(simulatedLedger)).anyMatch(line -> line.startsWith("dev 3"));
  }

  @Test
  void aBranchWhoseHeadHasLostItsEpochKeepsItsDocuments() {
    SimulatedLedger simulatedLedger = branched();
    LedgerObjects dev = new LedgerObjects(simulatedLedger.store(), "").forBranch(DEV);
    ObjectNode head = dev.read(LedgerLayout.HEAD).orElseThrow().json();
    String epoch = head.remove("epoch").textValue();
    dev.write(LedgerLayout.HEAD, head, Condition.none());

    assertThat(clean(simulatedLedger)).isEmpty();

    dev.write(LedgerLayout.HEAD, head.put("epoch", epoch), Condition.none());
    assertThat(BranchCrashTest.told(simulatedLedger))
        .anyMatch(line -> line.startsWith("dev entity"));
  }

  @Test
  void aNoteOfADropWhoseCommitIsGoneIsntInTheWay() {
    SimulatedLedger simulatedLedger = branched();
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      LedgerObjects objects = new LedgerObjects(simulatedLedger.store(), "");
      String manifest =
          Head.read(objects.forBranch(DEV)).orElseThrow().head().manifestPath().orElseThrow();
      main.branches().drop(DEV);
      objects.delete(manifest);

      assertThat(main.orphans().find(OrphanCollector.SAFE_AGE)).isEmpty();
    }
  }

  @Test
  void whatAHeadHasComeToLeadToStays() {
    SimulatedLedger simulatedLedger = branched();
    LedgerObjects objects = new LedgerObjects(simulatedLedger.store(), "");
    ObjectNode head = objects.forBranch(DEV).read(LedgerLayout.HEAD).orElseThrow().json();
    String manifest =
        Head.read(objects.forBranch(DEV)).orElseThrow().head().manifestPath().orElseThrow();
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      main.branches().drop(DEV);
      simulatedLedger.clock().jump(OrphanCollector.SAFE_AGE.multipliedBy(2));
      List<Orphan> found = main.orphans().find(OrphanCollector.SAFE_AGE);
      assertThat(found).anyMatch(each -> manifest.startsWith(each.directory()));
      // As a push does whose objects were there, and young enough when it came by.
      objects.forBranch(DEV).write(LedgerLayout.HEAD, head, Condition.none());

      found.forEach(main.orphans()::delete);

      assertThat(objects.get(manifest)).isPresent();
    }
  }
}
