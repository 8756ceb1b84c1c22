// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.C5;
import static io.tidemark.testkit.names.Samples.DEV;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.SEARCH;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.json;
import static io.tidemark.testkit.names.Samples.state;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Branches;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Edit;
import io.tidemark.names.Ledgers.Heads;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.names.PushResult.Conflict;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.Ref;
import io.tidemark.names.RefusedException;
import io.tidemark.names.RetractedException;
import io.tidemark.names.SourceType;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.objects.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Threads against each other, on two instances at one place. */
interface NameRaceContract {

  NamesFixture fixture();

  private List<NameService> twoInstances() {
    return List.of(fixture().names(), fixture().another());
  }

  private int threads() {
    return fixture().scale().threads();
  }

  private int races() {
    return fixture().scale().races();
  }

  /** Moves the status from what it is to the next number until it was this thread that did. */
  private static long increment(NameService names, String by) {
    ConcernValue known = names.get(MYDB, Concern.STATUS).orElseThrow();
    while (true) {
      ConcernValue next = state(known.watermark() + 1, by);
      PushResult result = names.push(MYDB, Concern.STATUS, Optional.of(known), next);
      if (!(result instanceof Conflict conflict)) {
        return next.watermark();
      }
      known = conflict.actual().orElseThrow();
    }
  }

  @Test
  default void noIncrementOfAStatusIsLost_names57_names5_10() throws Exception {
    fixture().names().create(MYDB);
    List<NameService> services = twoInstances();
    List<List<Long>> written =
        Race.run(
            threads(),
            thread -> {
              List<Long> mine = new ArrayList<>();
              for (int i = 0; i < races(); i++) {
                mine.add(increment(services.get(thread % 2), "by-" + thread));
              }
              return mine;
            });
    long total = (long) threads() * races();
    assertThat(fixture().get(MYDB, Concern.STATUS).orElseThrow().watermark()).isEqualTo(1 + total);
    assertThat(written.stream().flatMap(List::stream).sorted().toList())
        .isEqualTo(LongStream.rangeClosed(2, 1 + total).boxed().toList());
  }

  @Test
  default void ofAllWhoCreateALedgerOneWins() throws Exception {
    List<NameService> services = twoInstances();
    AtomicInteger created = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    Race.rounds(
        threads(),
        races(),
        (thread, round) -> {
          try {
            services.get(thread % 2).create(Address.parse("race/" + round));
            created.incrementAndGet();
          } catch (AlreadyExistsException e) {
            refused.incrementAndGet();
          }
        });
    assertThat(created).hasValue(races());
    assertThat(refused).hasValue(races() * (threads() - 1));
    assertThat(fixture().listed()).hasSize(races());
  }

  @Test
  default void ofAllWhoPushToAnAbsentLedgerOneWins() throws Exception {
    List<NameService> services = twoInstances();
    ConcurrentMap<Address, ConcernValue> winners = new ConcurrentHashMap<>();
    ConcurrentMap<Address, List<ConcernValue>> told = new ConcurrentHashMap<>();
    AtomicInteger won = new AtomicInteger();
    Race.rounds(
        threads(),
        races(),
        (thread, round) -> {
          Address address = Address.parse("race/" + round);
          ConcernValue mine = head("by-" + thread, 1 + thread);
          PushResult result =
              services.get(thread % 2).push(address, Concern.HEAD, Optional.empty(), mine);
          if (result instanceof Conflict conflict) {
            told.computeIfAbsent(address, a -> new CopyOnWriteArrayList<>())
                .add(conflict.actual().orElseThrow());
          } else {
            won.incrementAndGet();
            winners.put(address, mine);
          }
        });
    assertThat(won).hasValue(races());
    winners.forEach(
        (address, winner) -> {
          assertThat(fixture().get(address, Concern.HEAD)).contains(winner);
          assertThat(told.get(address)).hasSize(threads() - 1).containsOnly(winner);
        });
  }

  @Test
  default void ofAllWhoMoveAHeadOneWins() throws Exception {
    fixture().ledger(MYDB, "start", 1);
    List<NameService> services = twoInstances();
    ConcurrentMap<Integer, String> winners = new ConcurrentHashMap<>();
    AtomicInteger won = new AtomicInteger();
    Race.rounds(
        threads(),
        races(),
        (thread, round) -> {
          String from = round == 0 ? "start" : null;
          NameService names = services.get(thread % 2);
          ConcernValue known =
              from == null ? names.get(MYDB, Concern.HEAD).orElseThrow() : head(from, 1);
          // Whoever comes late knows a head of this round already and leaves it alone.
          if (known.watermark() != round + 1L) {
            return;
          }
          String id = "c-" + round + "-" + thread;
          if (names.push(MYDB, Concern.HEAD, Optional.of(known), head(id, round + 2L)).updated()) {
            won.incrementAndGet();
            winners.put(round, id);
          }
        });
    assertThat(won).hasValue(races());
    assertThat(fixture().get(MYDB, Concern.HEAD))
        .contains(head(String.valueOf(winners.get(races() - 1)), races() + 1L));
  }

  @Test
  default void ofManyWhoAdvanceAHeadTheNewestStays_names17() throws Exception {
    fixture().names().create(MYDB);
    List<NameService> services = twoInstances();
    List<List<Long>> moved =
        Race.run(
            threads(),
            thread -> {
              List<Long> mine = new ArrayList<>();
              for (int i = 0; i < races(); i++) {
                long t = 1 + (long) i * threads() + thread;
                Ref commit = Ref.of("c" + t, t);
                if (services.get(thread % 2).ledgers().fastForward(MYDB, commit).updated()) {
                  mine.add(t);
                }
              }
              return mine;
            });
    long last = (long) races() * threads();
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head("c" + last, last));
    moved.forEach(mine -> assertThat(mine).isSorted());
    assertThat(moved.stream().flatMap(List::stream).toList())
        .contains(last)
        .doesNotHaveDuplicates();
  }

  @Test
  default void concernsDoNotDisturbEachOther() throws Exception {
    fixture().names().create(MYDB);
    List<NameService> services = twoInstances();
    Race.run(
        4,
        thread -> {
          NameService names = services.get(thread % 2);
          Concern concern = List.of(Concern.values()).get(thread);
          ConcernValue known = names.get(MYDB, concern).orElseThrow();
          for (int i = 1; i <= races(); i++) {
            ConcernValue next = moved(concern, i);
            // A conflict could only come from another concern, since nobody else moves this one.
            assertThat(names.push(MYDB, concern, Optional.of(known), next))
                .isEqualTo(new PushResult.Updated(next));
            known = next;
          }
          return concern;
        });
    NameRecord record = fixture().record(MYDB);
    for (Concern concern : Concern.values()) {
      assertThat(record.concern(concern)).isEqualTo(moved(concern, races()));
      assertThat(fixture().get(MYDB, concern)).contains(moved(concern, races()));
    }
    assertThat(record.meta().indexRev()).isEqualTo(races());
  }

  private static ConcernValue moved(Concern concern, int step) {
    return switch (concern) {
      case HEAD -> head("c" + step, step);
      case INDEX -> index("i" + step, step, 0);
      case STATUS -> state(step + 1L, "s" + step);
      case CONFIG -> value(step, "{'step':" + step + "}");
    };
  }

  @Test
  default void readersNeverSeeHalfAChange_names59() throws Exception {
    fixture().ledger(MYDB, "c1", 1);
    List<NameService> services = twoInstances();
    AtomicBoolean done = new AtomicBoolean();
    Race.run(
        3,
        thread -> {
          NameService names = services.get(thread % 2);
          if (thread == 0) {
            try {
              for (int t = 2; t <= races(); t++) {
                names.ledgers().publishCommit(MYDB, Ref.of("c" + t, t));
                names.ledgers().publishIndex(MYDB, Ref.of("i" + t, t));
              }
            } finally {
              done.set(true);
            }
            return 0;
          }
          long lastHead = 0;
          long lastIndex = 0;
          while (!done.get()) {
            NameRecord record = names.find(MYDB).orElseThrow();
            Ref commit = record.commit();
            Ref indexed = record.indexed();
            assertThat(commit).isEqualTo(Ref.of("c" + commit.t(), commit.t()));
            assertThat(record.head()).isEqualTo(head("c" + commit.t(), commit.t()));
            if (indexed.t() > 0) {
              assertThat(indexed).isEqualTo(Ref.of("i" + indexed.t(), indexed.t()));
            }
            assertThat(commit.t()).isGreaterThanOrEqualTo(lastHead);
            assertThat(indexed.t()).isGreaterThanOrEqualTo(lastIndex);
            lastHead = commit.t();
            lastIndex = indexed.t();
          }
          return 0;
        });
  }

  @Test
  default void readersNeverGoBackPastAReset_names5_5() throws Exception {
    fixture().ledger(MYDB, "c0", 1);
    List<NameService> services = twoInstances();
    AtomicBoolean done = new AtomicBoolean();
    int steps = Math.min(races(), 500);
    Race.run(
        3,
        thread -> {
          NameService names = services.get(thread % 2);
          if (thread == 0) {
            try {
              for (int step = 1; step <= steps; step++) {
                Ref indexed = Ref.of("i" + step, 1 + step % 3);
                names.ledgers().reset(MYDB, new Heads(Ref.of("c" + step, 1), indexed));
                names.retract(MYDB);
                names.restore(MYDB);
              }
            } finally {
              done.set(true);
            }
            return 0;
          }
          long last = 0;
          while (!done.get()) {
            long alone = step(names.ledgers().find(MYDB).orElseThrow().indexed());
            assertThat(alone).isGreaterThanOrEqualTo(last);
            ConcernValue index = names.get(MYDB, Concern.INDEX).orElseThrow();
            last = index.payload().map(NameRaceContract::step).orElse(0L);
            assertThat(last).isGreaterThanOrEqualTo(alone);
          }
          return 0;
        });
    assertThat(fixture().record(MYDB).indexed()).isEqualTo(Ref.of("i" + steps, 1 + steps % 3));
    assertThat(fixture().record(MYDB).meta().indexRev()).isEqualTo(steps);
    assertThat(fixture().record(MYDB).status()).isEqualTo(state(1 + 2L * steps, "ready"));
  }

  @Test
  default void anIndexThatALedgerWasBornWithIsSeenByEveryReader() throws Exception {
    List<NameService> services = twoInstances();
    int rounds = Math.min(races(), 500);
    for (int i = 0; i < rounds; i++) {
      Address address = Address.parse("born" + i);
      fixture().names().push(address, Concern.INDEX, Optional.empty(), index("i", 5, 0));
    }
    Race.rounds(
        3,
        rounds,
        (thread, round) -> {
          Address address = Address.parse("born" + round);
          NameService names = services.get(thread % 2);
          if (thread == 0) {
            names.ledgers().publishCommit(address, Ref.of(C1, 1));
            return;
          }
          for (int i = 0; i < 5; i++) {
            assertThat(names.get(address, Concern.INDEX)).contains(index("i", 5, 0));
            assertThat(names.find(address).orElseThrow().index()).isEqualTo(index("i", 5, 0));
          }
        });
  }

  private static long step(Ref indexed) {
    return indexed.id().map(id -> Long.parseLong(id.substring(1))).orElse(0L);
  }

  private static long step(Payload index) {
    return Long.parseLong(index.toTree().at("/default/id").textValue().substring(1));
  }

  @Test
  default void ofAllWhoDropABranchOneDoes_names72() throws Exception {
    fixture().ledger(MYDB, C5, 5);
    List<NameService> services = twoInstances();
    int branches = Math.min(races(), 60);
    for (int i = 0; i < branches; i++) {
      fixture().names().branches().create(MYDB, "b" + i, Optional.empty());
    }
    fixture().names().branches().create(MYDB, "stays", Optional.empty());
    AtomicInteger dropped = new AtomicInteger();
    AtomicInteger notFound = new AtomicInteger();
    Race.rounds(
        2,
        branches,
        (thread, round) -> {
          try {
            Branches.Drop drop = services.get(thread).branches().drop(MYDB.onBranch("b" + round));
            assertThat(drop.dropped()).isEqualTo(Branches.Dropped.GONE);
            dropped.incrementAndGet();
          } catch (NotFoundException e) {
            notFound.incrementAndGet();
          }
        });
    assertThat(dropped).hasValue(branches);
    assertThat(notFound).hasValue(branches);
    assertThat(fixture().record(MYDB).meta().branches()).isEqualTo(1);
  }

  @Test
  default void branchesMadeAndDroppedAtOnceAreCountedRight_names5_8() throws Exception {
    fixture().ledger(MYDB, C5, 5);
    List<NameService> services = twoInstances();
    Race.rounds(
        threads(),
        Math.min(races(), 30),
        (thread, round) -> {
          Branches branches = services.get(thread % 2).branches();
          branches.create(MYDB, "b-" + thread + "-" + round, Optional.empty());
          if (round % 2 == 1) {
            branches.drop(MYDB.onBranch("b-" + thread + "-" + round));
          }
        });
    int left = fixture().names().branches().list("mydb").size() - 1;
    assertThat(left).isEqualTo(threads() * ((Math.min(races(), 30) + 1) / 2));
    assertThat(fixture().record(MYDB).meta().branches()).isEqualTo(left);
  }

  @Test
  default void aBranchDroppedWithItsLastChildrenIsGone_names38() throws Exception {
    fixture().ledger(MYDB, C5, 5);
    List<NameService> services = twoInstances();
    int rounds = Math.min(races(), 60);
    for (int i = 0; i < rounds; i++) {
      Address parent = MYDB.onBranch("p" + i);
      fixture().names().branches().create(MYDB, "p" + i, Optional.empty());
      fixture().names().branches().create(parent, "c" + i + "a", Optional.empty());
      fixture().names().branches().create(parent, "c" + i + "b", Optional.empty());
    }
    List<String> suffixes = List.of("a", "b");
    Race.rounds(
        3,
        rounds,
        (thread, round) -> {
          String branch = thread == 2 ? "p" + round : "c" + round + suffixes.get(thread);
          try {
            services.get(thread % 2).branches().drop(MYDB.onBranch(branch));
          } catch (NotFoundException e) {
            // Only the parent may be gone already, by the last of its children.
            assertThat(thread).isEqualTo(2);
          }
        });
    assertThat(fixture().listed()).containsExactly("mydb:main");
    assertThat(fixture().record(MYDB).meta().branches()).isZero();
  }

  @Test
  default void noBranchIsLeftWithoutItsSource_names5_8() throws Exception {
    fixture().ledger(MYDB, C5, 5);
    List<NameService> services = twoInstances();
    int rounds = Math.min(races(), 60);
    for (int i = 0; i < rounds; i++) {
      fixture().names().branches().create(MYDB, "p" + i, Optional.empty());
    }
    AtomicInteger made = new AtomicInteger();
    Race.rounds(
        2,
        rounds,
        (thread, round) -> {
          Address parent = MYDB.onBranch("p" + round);
          try {
            if (thread == 0) {
              services.get(0).branches().create(parent, "c" + round, Optional.empty());
              made.incrementAndGet();
            } else {
              services.get(1).purge(parent);
            }
          } catch (NotFoundException | RefusedException e) {
            // Either was too late for the other.
          }
        });
    int left = 0;
    for (int i = 0; i < rounds; i++) {
      boolean child = fixture().names().find(MYDB.onBranch("c" + i)).isPresent();
      boolean parent = fixture().names().find(MYDB.onBranch("p" + i)).isPresent();
      assertThat(parent).as("round %s", i).isEqualTo(child);
      left += child ? 1 : 0;
    }
    assertThat(made).hasValue(left);
  }

  @Test
  default void noCommitLandsAfterARetract_names5_11() throws Exception {
    List<NameService> services = twoInstances();
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
  default void allWhoPublishAGraphSourceSucceed() throws Exception {
    List<NameService> services = twoInstances();
    int rounds = Math.min(races(), 200);
    Race.rounds(
        threads(),
        rounds,
        (thread, round) ->
            services
                .get(thread % 2)
                .graphSources()
                .publish(
                    Address.parse("s" + round),
                    SourceType.BM25,
                    json("{'by':" + thread + "}"),
                    List.of("by:" + thread)));
    for (int i = 0; i < rounds; i++) {
      NameRecord record = fixture().record(Address.parse("s" + i));
      assertThat(record.config().watermark()).isEqualTo(threads());
      long by = record.config().payload().orElseThrow().toTree().path("by").longValue();
      assertThat(record.meta().dependencies()).containsExactly("by:" + by);
    }
  }

  @Test
  default void everyEqualPublicationOfAnIndexIsCounted_decision5() throws Exception {
    fixture().names().create(MYDB);
    List<NameService> services = twoInstances();
    int rounds = Math.min(races(), 300);
    Race.run(
        threads(),
        thread -> {
          for (int i = 0; i < rounds; i++) {
            Ref rebuilt = Ref.of("i-" + thread + "-" + i, 5);
            PushResult result =
                services.get(thread % 2).ledgers().publishIndexAllowEqual(MYDB, rebuilt);
            assertThat(result.updated()).isTrue();
          }
          return thread;
        });
    long total = (long) threads() * rounds;
    NameRecord record = fixture().record(MYDB);
    assertThat(record.meta().indexRev()).isEqualTo(total);
    assertThat(record.index().payload().orElseThrow().toTree().at("/default/rev").longValue())
        .isEqualTo(total - 1);
  }

  @Test
  default void aNameIsFreeAsSoonAsItIsPurged() throws Exception {
    List<NameService> services = twoInstances();
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
              backend.edit(DEV, NameRaceContract::movedBack);
            } else {
              ConcernValue next = state(status.watermark() + 1, "s" + i);
              assertThat(backend.change(DEV, new Change.Push(Concern.STATUS, status, next)))
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
  private static Edit movedBack(NameRecord seen) {
    long n = 1 + Long.parseLong(seen.commit().id().orElseThrow().substring(1));
    return Edit.replace(
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
        ConcernValue next = moved(concern, (int) known.get().watermark() + 1);
        PushResult result = names.push(MYDB, concern, known, next);
        known = result instanceof Conflict conflict ? conflict.actual() : Optional.of(next);
        writing.countDown();
      }
    } catch (RetractedException e) {
      // That is how it ends for them.
    }
  }

  @Test
  default void aListingIsWholeWhileOthersWrite() throws Exception {
    List<String> stay = IntStream.range(0, 40).mapToObj(i -> "stay" + i + ":main").toList();
    stay.forEach(text -> fixture().names().create(Address.parse(text)));
    List<NameService> services = twoInstances();
    AtomicBoolean done = new AtomicBoolean();
    Race.run(
        2,
        thread -> {
          if (thread == 0) {
            try {
              for (int i = 0; i < races(); i++) {
                Address passing = Address.parse("stay" + i % 40 + "x");
                services.get(0).create(passing);
                services
                    .get(0)
                    .ledgers()
                    .publishCommit(Address.parse(stay.get(i % 40)), Ref.of("c" + i, i + 1));
                services.get(0).purge(passing);
              }
            } finally {
              done.set(true);
            }
            return 0;
          }
          do {
            List<String> listed = NamesFixture.texts(services.get(1).list(RecordFilter.all()));
            assertThat(listed).containsAll(stay).isSorted().doesNotHaveDuplicates();
          } while (!done.get());
          return 0;
        });
    assertThat(fixture().listed()).containsExactlyElementsOf(stay.stream().sorted().toList());
  }

  @Test
  default void everyHistoryHasAnOrder() throws Exception {
    Seed seed = Seed.of(getClass().getSimpleName() + ".everyHistoryHasAnOrder");
    RandomNames random =
        new RandomNames(
            List.of(fixture().backend(), fixture().anotherBackend()),
            seed,
            threads(),
            fixture().scale().operations());
    History history = random.run();
    assertThat(history.operations()).hasSizeGreaterThanOrEqualTo(fixture().scale().operations());
    LinearizabilityChecker.check(history, RandomNames::initial)
        .ifPresent(
            violation -> {
              throw new AssertionError(seed + ": " + violation);
            });
  }
}
