// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.Models.CUSTOMER;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.internal.catalog.Catalog.Finding;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.TidemarkException;
import io.tidemark.testkit.objects.FaultyBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One performance of a deed on a ledger of its own, and a look at what came of it. */
final class OperationTrial {

  /** More than one has to be tried again when an object can't be reached, and not many more. */
  private static final int MOST_TRIES = 4;

  private final SimulatedLedger simulatedLedger = new SimulatedLedger();
  private final WriterOperation writerOperation;

  OperationTrial(WriterOperation writerOperation) {
    this.writerOperation = writerOperation;
    try (Ledger ledger = simulatedLedger.open("before")) {
      writerOperation.prepare(ledger);
    }
  }

  /**
   * How it goes when nothing goes wrong.
   *
   * @param requests all of the deed, from opening the ledger, unless it is open, to closing it
   */
  record FaultFreeRun(List<RequestKey> requests, LedgerDump account) {}

  static FaultFreeRun calm(WriterOperation writerOperation) {
    OperationTrial operationTrial = new OperationTrial(writerOperation);
    FaultingBackend recording = new FaultingBackend(operationTrial.simulatedLedger.bytes());
    operationTrial.perform(recording, recording::record, () -> {});
    return new FaultFreeRun(
        recording.requests(), LedgerDump.of(operationTrial.simulatedLedger.store()));
  }

  /** Something befalls one request; the writer tries again if it has to, and nothing is amiss. */
  void survives(RequestKey request, RequestFault requestFault, LedgerDump expected) {
    FaultyBackend faulty = new FaultyBackend(simulatedLedger.bytes());
    AtomicInteger seen = new AtomicInteger();
    Runnable arm =
        () ->
            faulty.next(
                (operation, key) ->
                    operation == request.operation()
                        && RequestKey.withoutAttempt(key).equals(request.key())
                        && seen.incrementAndGet() == request.nth(),
                requestFault.fault());
    perform(faulty, arm, faulty::clearFaults);
    faulty.deliverLateWrites();

    assertThat(LedgerDump.of(simulatedLedger.store())).isEqualTo(expected);
    assertThat(simulatedLedger.lockIsFree()).as("the lock is free").isTrue();
    goesOn(Duration.ofSeconds(1));
  }

  /** One object can't be reached for long; later it can, and the writer tries again. */
  void survivesUnreachable(RequestKey request, LedgerDump expected) {
    FaultingBackend faultingBackend = new FaultingBackend(simulatedLedger.bytes());
    perform(
        faultingBackend,
        () -> faultingBackend.choose(request, FaultingBackend.FaultMode.UNREACHABLE),
        faultingBackend::heal);

    assertThat(faultingBackend.isMet() || mayBeLeftOut(request)).as("it came to that").isTrue();
    assertThat(LedgerDump.of(simulatedLedger.store())).isEqualTo(expected);
    goesOn(SimulatedLedger.LEASE.plusSeconds(2));
  }

  /** The process dies; another one, which knows nothing of it, does the same deed. */
  void survivesDeath(RequestKey request, FaultingBackend.FaultMode faultMode, LedgerDump expected) {
    FaultingBackend faultingBackend = new FaultingBackend(simulatedLedger.bytes());
    boolean acknowledged =
        performAndDie(faultingBackend, () -> faultingBackend.choose(request, faultMode));

    assertThat(faultingBackend.isMet() || mayBeLeftOut(request)).as("it came to that").isTrue();
    LedgerDump left = LedgerDump.of(simulatedLedger.store());
    if (acknowledged) {
      assertThat(left).isEqualTo(expected);
    }
    assertThat(left.commits()).isEqualTo(expected.commits().subList(0, left.commits().size()));
    Duration before = simulatedLedger.time().elapsed();
    try (Ledger ledger = simulatedLedger.open("next")) {
      writerOperation.perform(ledger);
    }
    assertThat(LedgerDump.of(simulatedLedger.store())).isEqualTo(expected);
    goesOn(
        SimulatedLedger.LEASE.plusSeconds(2).minus(simulatedLedger.time().elapsed().minus(before)));
  }

  /**
   * An index follows its commits when there is time, so two of a deed's commits may be followed by
   * one write or by two.
   */
  private static boolean mayBeLeftOut(RequestKey request) {
    return request.key().startsWith(LedgerLayout.INDICES) && request.nth() > 1;
  }

  private void perform(ObjectBackend backend, Runnable arm, Runnable heal) {
    Ledger ledger = null;
    try {
      if (writerOperation.isWarm()) {
        ledger = simulatedLedger.open(backend, "writer");
        writerOperation.warmUp(ledger);
        ledger.flush();
      }
      arm.run();
      ledger = performUntilDone(ledger, backend, heal);
      ledger.flush();
      heal.run();
    } finally {
      if (ledger != null) {
        ledger.close();
      }
    }
  }

  private Ledger performUntilDone(@Nullable Ledger open, ObjectBackend backend, Runnable heal) {
    @Nullable Ledger ledger = open;
    for (int tries = 1; ; tries++) {
      try {
        if (ledger == null) {
          ledger = simulatedLedger.open(backend, "writer");
        }
        writerOperation.perform(ledger);
        return ledger;
      } catch (TidemarkException e) {
        heal.run();
        if (tries == MOST_TRIES) {
          throw new AssertionError("it doesn't recover", e);
        }
      }
    }
  }

  /** Whether the deed was acknowledged before the end. */
  private boolean performAndDie(FaultingBackend faultingBackend, Runnable arm) {
    Ledger ledger = null;
    try {
      if (writerOperation.isWarm()) {
        ledger = simulatedLedger.open(faultingBackend, "writer");
        writerOperation.warmUp(ledger);
        ledger.flush();
      }
      arm.run();
      if (ledger == null) {
        ledger = simulatedLedger.open(faultingBackend, "writer");
      }
      writerOperation.perform(ledger);
      return true;
    } catch (TidemarkException e) {
      return false;
    } finally {
      if (ledger != null) {
        ledger.close(); // what died says nothing more; this only ends its threads
      }
    }
  }

  /** Somebody else can write within that time, and then every index is complete. */
  private void goesOn(Duration within) {
    Duration before = simulatedLedger.time().elapsed();
    try (Ledger ledger = simulatedLedger.open("later")) {
      if (writerOperation == WriterOperation.MIGRATION) {
        ledger.write(
            List.of(RecordType.of(Models.LaterCustomer.class).schema()),
            Map.of(),
            session -> session.ensure(Models.LaterCustomer.of("later", 1)));
      } else {
        WriterOperation.writeThree(ledger, "later", 99);
      }
      ledger.flush();
      assertThat(ledger.lastWarning()).isEmpty();
      IndexMaintenance.Report report = ledger.indices().verify(Depth.EVERY_COMMIT);
      assertThat(report.broken()).isEmpty();
      if (!report.ok()) { // the documents of a type that nobody has touched since may lag
        assertThat(report.catalog()).allMatch(Finding::mendable);
        ledger.indices().repair(Depth.EVERY_COMMIT);
        assertThat(ledger.indices().verify(Depth.EVERY_COMMIT))
            .matches(IndexMaintenance.Report::ok);
      }
      assertThat(storedVersions()).as("versions").hasSameSizeAs(ledger.schemas().history(CUSTOMER));
    }
    assertThat(simulatedLedger.time().elapsed().minus(before)).as("waited").isLessThan(within);
  }

  /** The document, which by now has followed the chain. */
  private JsonNode storedVersions() {
    return read(LedgerLayout.versions(CUSTOMER)).path("versions");
  }

  private JsonNode read(String path) {
    return new LedgerObjects(simulatedLedger.store(), "").read(path).orElseThrow().json();
  }
}
