// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.Models.CUSTOMER;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.IndexCare.Depth;
import io.tidemark.ledger.internal.catalog.Catalog.Finding;
import io.tidemark.ledger.internal.store.Layout;
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
final class Trial {

  /** More than one has to be tried again when an object can't be reached, and not many more. */
  private static final int MOST_TRIES = 4;

  private final World world = new World();
  private final Deed deed;

  Trial(Deed deed) {
    this.deed = deed;
    try (Ledger ledger = world.open("before")) {
      deed.prepare(ledger);
    }
  }

  /**
   * How it goes when nothing goes wrong.
   *
   * @param requests all of the deed, from opening the ledger, unless it is open, to closing it
   */
  record Calm(List<Requested> requests, Account account) {}

  static Calm calm(Deed deed) {
    Trial trial = new Trial(deed);
    Hazard recording = new Hazard(trial.world.bytes());
    trial.perform(recording, recording::record, () -> {});
    return new Calm(recording.requests(), Account.of(trial.world.store()));
  }

  /** Something befalls one request; the writer tries again if it has to, and nothing is amiss. */
  void survives(Requested request, Mishap mishap, Account expected) {
    FaultyBackend faulty = new FaultyBackend(world.bytes());
    AtomicInteger seen = new AtomicInteger();
    Runnable arm =
        () ->
            faulty.next(
                (operation, key) ->
                    operation == request.operation()
                        && Requested.withoutAttempt(key).equals(request.key())
                        && seen.incrementAndGet() == request.nth(),
                mishap.fault());
    perform(faulty, arm, faulty::heal);
    faulty.deliverLate();

    assertThat(Account.of(world.store())).isEqualTo(expected);
    assertThat(world.lockIsFree()).as("the lock is free").isTrue();
    goesOn(Duration.ofSeconds(1));
  }

  /** One object can't be reached for long; later it can, and the writer tries again. */
  void survivesUnreachable(Requested request, Account expected) {
    Hazard hazard = new Hazard(world.bytes());
    perform(hazard, () -> hazard.choose(request, Hazard.End.UNREACHABLE), hazard::heal);

    assertThat(hazard.isMet() || mayBeLeftOut(request)).as("it came to that").isTrue();
    assertThat(Account.of(world.store())).isEqualTo(expected);
    goesOn(World.LEASE.plusSeconds(2));
  }

  /** The process dies; another one, which knows nothing of it, does the same deed. */
  void survivesDeath(Requested request, Hazard.End end, Account expected) {
    Hazard hazard = new Hazard(world.bytes());
    boolean acknowledged = performAndDie(hazard, () -> hazard.choose(request, end));

    assertThat(hazard.isMet() || mayBeLeftOut(request)).as("it came to that").isTrue();
    Account left = Account.of(world.store());
    if (acknowledged) {
      assertThat(left).isEqualTo(expected);
    }
    assertThat(left.commits()).isEqualTo(expected.commits().subList(0, left.commits().size()));
    Duration before = world.time().elapsed();
    try (Ledger ledger = world.open("next")) {
      deed.perform(ledger);
    }
    assertThat(Account.of(world.store())).isEqualTo(expected);
    goesOn(World.LEASE.plusSeconds(2).minus(world.time().elapsed().minus(before)));
  }

  /**
   * An index follows its commits when there is time, so two of a deed's commits may be followed by
   * one write or by two.
   */
  private static boolean mayBeLeftOut(Requested request) {
    return request.key().startsWith(Layout.INDICES) && request.nth() > 1;
  }

  private void perform(ObjectBackend backend, Runnable arm, Runnable heal) {
    Ledger ledger = null;
    try {
      if (deed.isWarm()) {
        ledger = world.open(backend, "writer");
        deed.warmUp(ledger);
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
          ledger = world.open(backend, "writer");
        }
        deed.perform(ledger);
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
  private boolean performAndDie(Hazard hazard, Runnable arm) {
    Ledger ledger = null;
    try {
      if (deed.isWarm()) {
        ledger = world.open(hazard, "writer");
        deed.warmUp(ledger);
        ledger.flush();
      }
      arm.run();
      if (ledger == null) {
        ledger = world.open(hazard, "writer");
      }
      deed.perform(ledger);
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
    Duration before = world.time().elapsed();
    try (Ledger ledger = world.open("later")) {
      if (deed == Deed.MIGRATION) {
        ledger.write(
            List.of(RecordType.of(Models.LaterCustomer.class).schema()),
            Map.of(),
            session -> session.ensure(Models.LaterCustomer.of("later", 1)));
      } else {
        Deed.writeThree(ledger, "later", 99);
      }
      ledger.flush();
      assertThat(ledger.lastWarning()).isEmpty();
      IndexCare.Report report = ledger.indices().verify(Depth.EVERY_COMMIT);
      assertThat(report.broken()).isEmpty();
      if (!report.ok()) { // the documents of a type that nobody has touched since may lag
        assertThat(report.catalog()).allMatch(Finding::mendable);
        ledger.indices().repair(Depth.EVERY_COMMIT);
        assertThat(ledger.indices().verify(Depth.EVERY_COMMIT)).matches(IndexCare.Report::ok);
      }
      assertThat(storedVersions()).as("versions").hasSameSizeAs(ledger.schemas().history(CUSTOMER));
    }
    assertThat(world.time().elapsed().minus(before)).as("waited").isLessThan(within);
  }

  /** The document, which by now has followed the chain. */
  private JsonNode storedVersions() {
    return read(Layout.versions(CUSTOMER)).path("versions");
  }

  private JsonNode read(String path) {
    return new LedgerObjects(world.store(), "").read(path).orElseThrow().json();
  }
}
