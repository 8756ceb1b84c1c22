// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.DEV;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.SEARCH;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.state;
import static io.tidemark.testkit.names.Samples.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.Ledgers.Heads;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.PushResult;
import io.tidemark.names.PushResult.Conflict;
import io.tidemark.names.Ref;
import io.tidemark.names.RetractedException;
import io.tidemark.testkit.objects.Race;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Edits of whole records against writers of their concerns, on two instances at one place. */
interface EditRaceContract {

  NamesFixture fixture();

  private int races() {
    return fixture().scale().races();
  }

  @Test
  default void noCommitLandsAfterARetract_names5_11() throws Exception {
    List<NameService> services = fixture().twoInstances();
    int rounds = Math.min(races(), 500);
    ConcurrentMap<Integer, NameRecord> retracted = new ConcurrentHashMap<>();
    for (int i = 0; i < rounds; i++) {
      fixture().ledger(Address.parse("r" + i), C1, 1);
    }
    Race.rounds(
        3,
        rounds,
        (thread, round) -> {
          Address address = Address.parse("r" + round);
          if (thread == 2) {
            retracted.put(round, services.get(0).retract(address));
            return;
          }
          try {
            for (int t = 2; t < 6; t++) {
              services.get(thread).ledgers().publishCommit(address, Ref.of("c" + t, t));
              services.get(thread).ledgers().publishIndex(address, Ref.of("i" + t, t));
            }
          } catch (RetractedException e) {
            // That is the point.
          }
        });
    retracted.forEach(
        (round, record) ->
            assertThat(fixture().record(Address.parse("r" + round))).isEqualTo(record));
  }

  @Test
  default void aNameIsFreeAsSoonAsItIsPurged() throws Exception {
    List<NameService> services = fixture().twoInstances();
    AtomicInteger created = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    Race.rounds(
        2,
        races(),
        (thread, round) -> {
          NameService names = services.get(thread);
          try {
            names.create(SEARCH);
            created.incrementAndGet();
            names.purge(SEARCH);
          } catch (AlreadyExistsException e) {
            refused.incrementAndGet();
          }
        });
    assertThat(created.get() + refused.get()).isEqualTo(2 * races());
    assertThat(created.get()).isGreaterThanOrEqualTo(races());
    assertThat(fixture().listed()).isEmpty();
  }

  @Test
  default void editsAndChangesDoNotLoseEachOther() throws Exception {
    fixture().ledger(DEV, "c0", 1);
    List<NameBackend> backends = List.of(fixture().backend(), fixture().anotherBackend());
    Race.run(
        4,
        thread -> {
          NameBackend backend = backends.get(thread % 2);
          ConcernValue status = backend.get(DEV, Concern.STATUS).orElseThrow();
          for (int i = 0; i < races(); i++) {
            if (thread < 3) {
              backend.edit(DEV, EditRaceContract::movedBack);
            } else {
              ConcernValue next = state(status.watermark() + 1, "s" + i);
              assertThat(backend.change(DEV, new ConcernChange.Push(Concern.STATUS, status, next)))
                  .isEqualTo(new NameBackend.Applied(next));
              status = next;
            }
          }
          return thread;
        });
    long edits = 3L * races();
    NameRecord record = fixture().record(DEV);
    assertThat(record.commit()).isEqualTo(Ref.of("c" + edits, 1));
    assertThat(record.indexed()).isEqualTo(Ref.of("i" + edits, 1));
    assertThat(record.meta().indexRev()).isEqualTo(edits);
    assertThat(record.status()).isEqualTo(state(1L + races(), "s" + (races() - 1)));
  }

  /** The next head and index, at the same {@code t}, as only an edit can set them. */
  private static EditDecision movedBack(NameRecord seen) {
    long n = 1 + Long.parseLong(seen.commit().id().orElseThrow().substring(1));
    return EditDecision.replace(
        seen,
        seen.with(Concern.HEAD, head("c" + n, 1), 1).with(Concern.INDEX, index("i" + n, 1, 0), 1));
  }

  @Test
  default void aRetractEndsAmongWritersThatNeverPause() throws Exception {
    amongWriters(() -> assertThat(fixture().names().retract(MYDB).meta().retracted()).isTrue());
    assertThat(fixture().record(MYDB).meta().retracted()).isTrue();
  }

  @Test
  default void aPurgeEndsAmongWritersThatNeverPause() throws Exception {
    amongWriters(() -> fixture().names().purge(MYDB));
    assertThat(fixture().names().find(MYDB)).isEmpty();
  }

  @Test
  default void aResetEndsAmongWritersThatNeverPause() throws Exception {
    Heads heads = new Heads(Ref.of("back", 1), Ref.UNBORN);
    amongWriters(
        () -> {
          NameRecord reset = fixture().names().ledgers().reset(MYDB, heads);
          assertThat(reset.commit()).isEqualTo(Ref.of("back", 1));
          assertThat(reset.index()).isEqualTo(ConcernValue.UNBORN);
        });
  }

  /** Does something while two threads push the head of a record and two its index. */
  private void amongWriters(Runnable action) throws Exception {
    fixture().ledger(MYDB, "c1", 1);
    CountDownLatch writing = new CountDownLatch(4 * 3);
    AtomicBoolean done = new AtomicBoolean();
    Race.run(
        5,
        thread -> {
          if (thread < 4) {
            pushUntil(done, thread % 2 == 0 ? Concern.HEAD : Concern.INDEX, writing);
            return thread;
          }
          try {
            assertThat(writing.await(1, TimeUnit.MINUTES)).isTrue();
            action.run();
          } finally {
            done.set(true);
          }
          return thread;
        });
  }

  private void pushUntil(AtomicBoolean done, Concern concern, CountDownLatch writing) {
    NameService names = fixture().names();
    Optional<ConcernValue> known = names.get(MYDB, concern);
    try {
      while (!done.get() && known.isPresent()) {
        ConcernValue next = step(concern, (int) known.get().watermark() + 1);
        PushResult result = names.push(MYDB, concern, known, next);
        known = result instanceof Conflict conflict ? conflict.actual() : Optional.of(next);
        writing.countDown();
      }
    } catch (RetractedException e) {
      // That is how it ends for them.
    }
  }
}
