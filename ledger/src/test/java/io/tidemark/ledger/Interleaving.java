// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Lets somebody do something before each request of somebody slow in turn, and holds what there is
 * in the end to what there would be if one had come after the other; or, if the slow one fails, as
 * it may for a reason, if there had been only the other.
 *
 * @param worlds what both begin with
 * @param slow what is done on main, in the way of which the other gets
 * @param other what another does meanwhile, at once
 */
record Interleaving(
    Supplier<SimulatedLedger> worlds, Consumer<Ledger> slow, Consumer<SimulatedLedger> other) {

  /** How it ended for the slow one; without a request of that number, the other did nothing. */
  private enum End {
    DONE,
    FAILED,
    NO_SUCH_REQUEST
  }

  /** Before each so-manieth request. */
  void check(int every) {
    List<List<String>> done =
        List.of(
            oneAfterTheOther(this::performSlow, other), oneAfterTheOther(other, this::performSlow));
    List<List<String>> failed = List.of(oneAfterTheOther(simulatedLedger -> {}, other));
    List<String> failures = new ArrayList<>();
    End end = End.DONE;
    for (int number = 1; end != End.NO_SUCH_REQUEST; number += every) {
      SimulatedLedger simulatedLedger = worlds.get();
      end = performWhile(simulatedLedger, number);
      List<List<String>> expected = end == End.FAILED ? failed : done;
      if (end != End.NO_SUCH_REQUEST && !expected.contains(told(simulatedLedger))) {
        failures.add(
            number + ", " + end + ": " + told(simulatedLedger) + " instead of " + expected);
      }
    }
    assertThat(failures).as("before request").isEmpty();
  }

  private void performSlow(SimulatedLedger simulatedLedger) {
    try (Ledger main =
        BranchCrashTest.on(simulatedLedger, simulatedLedger.bytes(), BranchName.MAIN)) {
      slow.accept(main);
      main.flush();
    }
  }

  private List<String> oneAfterTheOther(
      Consumer<SimulatedLedger> first, Consumer<SimulatedLedger> second) {
    SimulatedLedger simulatedLedger = worlds.get();
    End unused = attempt(() -> first.accept(simulatedLedger));
    unused = attempt(() -> second.accept(simulatedLedger));
    return told(simulatedLedger);
  }

  private void performOther(SimulatedLedger simulatedLedger) {
    End unused = attempt(() -> other.accept(simulatedLedger));
  }

  private static End attempt(Runnable deed) {
    try {
      deed.run();
      return End.DONE;
    } catch (TidemarkException e) {
      assertThat(e).isNotInstanceOf(CorruptLedgerException.class);
      return End.FAILED;
    }
  }

  private End performWhile(SimulatedLedger simulatedLedger, int number) {
    FaultyBackend faulty = new FaultyBackend(simulatedLedger.bytes());
    End end =
        attempt(
            () -> {
              try (Ledger main = BranchCrashTest.on(simulatedLedger, faulty, BranchName.MAIN)) {
                AtomicInteger left = new AtomicInteger(number);
                faulty.next(
                    (operation, key) -> left.decrementAndGet() == 0,
                    BackendFault.runBefore(() -> performOther(simulatedLedger)));
                slow.accept(main);
              }
            });
    return faulty.pendingFaults() == 0 ? end : End.NO_SUCH_REQUEST;
  }

  /** But for a type without rows, which only a branch that begins at the head gets to know of. */
  static List<String> told(SimulatedLedger simulatedLedger) {
    return BranchCrashTest.told(simulatedLedger).stream()
        .filter(line -> !line.contains("relation:Subscription"))
        .toList();
  }
}
